.PHONY: try test

try:
	@sh .ci/try

test:
	@sh .ci/test
