"""Install pip into the Python that runs this: Debian's comes without, and without ensurepip.

The newest wheel of the package index that pip would use, checked against the index's own digest.
"""

import configparser
import hashlib
import html
import os
import re
import ssl
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request


def setting(name: str) -> str | None:
    """One of pip's settings, from where pip reads it: the environment, then its files."""
    if value := os.environ.get("PIP_" + name.replace("-", "_").upper()):
        return value
    config = configparser.RawConfigParser()
    places = ["/etc/pip.conf", "~/.pip/pip.conf", "~/.config/pip/pip.conf"]
    places.append(os.environ.get("PIP_CONFIG_FILE", os.devnull))
    config.read(map(os.path.expanduser, places))
    return config.get("global", name, fallback=None)


def fetch(url: str) -> bytes:
    if urllib.parse.urlsplit(url).scheme not in {"http", "https", "file"}:
        raise ValueError(f"no address of a package index: {url}")
    context = ssl.create_default_context(cafile=setting("cert"))
    with urllib.request.urlopen(url, timeout=60, context=context) as answer:  # noqa: S310
        return bytes(answer.read())


def newest(page: str) -> tuple[str, str]:
    """Name and link of the newest pip on an index page that this Python can run."""
    found = []
    for tag in re.findall(r"<a\s[^>]*>", page):
        link = re.search(r'href="([^"]*?(pip-(\d[\d.]*)-py3-none-any\.whl)[^"]*)"', tag)
        python = re.search(r'requires-python="[^"]*(?:>|&gt;)=3\.(\d+)', tag)
        if not link or "data-yanked" in tag or (python and int(python[1]) > sys.version_info[1]):
            continue
        version = tuple(int(part) for part in link[3].split("."))
        found.append((version, link[2], html.unescape(link[1])))
    return max(found)[1:]


def main() -> None:
    index = (setting("index-url") or "https://pypi.org/simple").rstrip("/") + "/pip/"
    name, link = newest(fetch(index).decode())
    url, _, digest = urllib.parse.urljoin(index, link).partition("#sha256=")
    wheel = fetch(url)
    if digest and hashlib.sha256(wheel).hexdigest() != digest:
        raise ValueError(f"not what the index says it is: {url}")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(wheel)
        subprocess.run([sys.executable, path + "/pip", "install", "--quiet", path], check=True)


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError, subprocess.CalledProcessError) as trouble:
        sys.exit(f"sf: pip could not be fetched: {trouble}")
