# Sourced by try and test, with $root set: what brings Python's and the system's packages.
# shellcheck shell=sh disable=SC2154

unset PYTHONDONTWRITEBYTECODE PYTHONHOME PYTHONPATH
venv=$root/.venv

say() { printf '%s\n' "sf: $*" >&2; }

die() {
  say "$@"
  exit 1
}

# Install packages of Debian or Ubuntu; false where that is not possible.
apt() {
  command -v apt-get >/dev/null || return 1
  if [ "$(id -u)" = 0 ]; then
    sudo=
  else
    command -v sudo >/dev/null || return 1
    sudo=sudo
  fi
  say "apt-get install $*"
  $sudo apt-get -qq update </dev/null >/dev/null &&
    $sudo env DEBIAN_FRONTEND=noninteractive \
      apt-get -qq -y --no-install-recommends install "$@" </dev/null >/dev/null
}

# Set $python to a Python that is new enough; false without one.
find_python() {
  for python in python3 python3.14 python3.13 python3.12 python3.11; do
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && return
  done
  return 1
}

# Make $venv, empty but for pip, which Debian's Python comes without.
make_venv() {
  find_python || { apt python3 python3-venv && find_python; } ||
    die "Python 3.11 or newer is needed, and $(python3 -V 2>/dev/null || echo none) is here"
  rm -rf "$venv"
  say "making $venv with $(command -v "$python")"
  if "$python" -c 'import ensurepip' 2>/dev/null; then
    "$python" -m venv "$venv"
  elif "$python" -m venv --without-pip "$venv" && "$venv/bin/python" "$root/.ci/getpip.py"; then
    :
  elif apt python3-venv ca-certificates; then
    rm -rf "$venv"
    "$python" -m venv "$venv"
  else
    rm -rf "$venv"
    die "$python came without pip: install the package python3-venv, then try again"
  fi
}

# Bring $venv up to date with sf, editable, and fzf; $1 is `sf`, or a dependency group to add.
# A venv made from other settings, or for another place, is made anew.
update_venv() {
  stamp="$root $(cd "$root" && cat .ci/lib.sh pyproject.toml sessidx/bin/* | cksum)"
  if ! is_current sf; then
    make_venv
    say "installing sf into $venv"
    pip_install --editable "${root}[fzf]"
    mend_first_lines
    "$venv/bin/python" -m compileall -qq "$root/sessidx" || : # read-only files run as well
    printf '%s\n' "$stamp" >"$venv/sf.stamp"
  fi
  if [ "$1" != sf ] && ! is_current "$1"; then
    say "installing the $1 tools into $venv"
    pip_install 'pip>=25.1' # older ones know no groups
    pip_install --group "$root/pyproject.toml:$1"
    printf '%s\n' "$stamp" >"$venv/$1.stamp"
  fi
}

is_current() {
  [ "$(cat "$venv/$1.stamp" 2>/dev/null)" = "$stamp" ] && "$venv/bin/python" -c '' 2>/dev/null
}

pip_install() {
  "$venv/bin/python" -m pip --disable-pip-version-check -qq install "$@" >&2 </dev/null ||
    die "pip could not install $*"
}

# pip writes the path of $venv as it is into the first line of our scripts, but a kernel reads that
# line only up to a blank or its 127th byte.
mend_first_lines() {
  case $venv in
    *[!A-Za-z0-9_./-]*) ;;
    *) [ ${#venv} -gt 100 ] || return 0 ;;
  esac
  for name in sf sessidx; do
    {
      cat <<'EOF'
#!/bin/sh
'''exec' "$(dirname "$(readlink -f "$0")")/python" "$0" "$@"
' '''
EOF
      tail -n +2 "$root/sessidx/bin/$name"
    } >"$venv/bin/$name"
  done
}
