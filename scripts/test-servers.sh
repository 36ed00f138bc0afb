#!/usr/bin/env bash
# Tries 'leash run' with real servers: Home Assistant and mosquitto, and three nats-server nodes as one broker.
#
#   scripts/test-servers.sh [--pictures FOLDER] [home-assistant|home-assistant-components|cluster …]
#
#   --pictures FOLDER   take pictures of Home Assistant with chromium and put them there
#
# Without names all are tried. Home Assistant is the newest that PyPI has for the newest Python here, in an environment of its own
# below .build/servers; 'home-assistant-components' is the newest for Python 3.11, which knows the older form of discovery only. Takes
# about 10 minutes the first time. Exit codes: 0 all was seen, 1 something was not, 2 usage, 3 something can't be installed.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
servers=$here/.build/servers

say() { printf 'test-servers: %s\n' "$*"; }
missing() { say "$*" >&2; exit 3; }

pictures="" names=()
while [ $# -gt 0 ]; do
  case "$1" in
    --pictures) [ $# -gt 1 ] || { say "--pictures needs a folder" >&2; exit 2; }; pictures=$2; shift 2 ;;
    -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
    home-assistant | home-assistant-components | cluster) names+=("$1"); shift ;;
    *) say "unknown argument '$1'; --help lists them" >&2; exit 2 ;;
  esac
done
[ ${#names[@]} -gt 0 ] || names=(home-assistant home-assistant-components cluster)

leash=${LEASH:-$here/.build/release/leash}
[ -x "$leash" ] || missing "there is no $leash: make release"

# needs PROGRAM PACKAGE: has it, or gets it from Debian.
needs() {
  PATH=$PATH:/usr/sbin command -v "$1" >/dev/null && return
  local as_root=""
  [ "$(id -u)" -eq 0 ] || as_root="sudo -n"
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$2" </dev/null >/dev/null 2>&1 || true
  PATH=$PATH:/usr/sbin command -v "$1" >/dev/null || missing "$1 can't be installed: apt-get install $2"
}

# python VERSION…: the first of these that is here.
python() {
  local version place
  for version in "$@"; do
    for place in "$(command -v "python$version" || :)" "$HOME"/.pyenv/versions/"$version".*/bin/python3; do
      [ -x "$place" ] && "$place" -c 'import venv, ensurepip' 2>/dev/null && { echo "$place"; return; }
    done
  done
  return 1
}

# environment PYTHON: makes one with Home Assistant, if there is none, and says where.
environment() {
  local python=$1 version folder
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  folder=$servers/venv-$version
  if [ ! -e "$folder/complete" ]; then
    say "installing Home Assistant for Python $version (some minutes)" >&2
    rm -rf "$folder"
    "$python" -m venv "$folder" || missing "python$version can't make an environment: apt-get install python3-venv"
    "$folder/bin/pip" install -q --disable-pip-version-check homeassistant >&2 || missing "PyPI's homeassistant can't be installed for Python $version"
    "$folder/bin/python" "$here/Tests/Servers/requirements_of.py" mqtt frontend onboarding config api lovelace analytics hardware recorder traccar >"$folder/requirements.txt"
    # josepy: of those of 2024 a version that still has what acme of then wants.
    "$folder/bin/pip" install -q --disable-pip-version-check -r "$folder/requirements.txt" \
      -c "$folder"/lib/python*/site-packages/homeassistant/package_constraints.txt \
      $([ "$version" != 3.11 ] || echo "josepy<2") >&2 ||
      missing "what Home Assistant needs can't be installed for Python $version"
    touch "$folder/complete"
  fi
  echo "$folder"
}

mkdir -p "$servers"
export PYTHONDONTWRITEBYTECODE=1
code=0
for name in "${names[@]}"; do
  case "$name" in
    home-assistant | home-assistant-components)
      needs mosquitto mosquitto
      needs mosquitto_sub mosquitto-clients
      if [ "$name" = home-assistant ]; then
        interpreter=$(python 3.13 3.12 3.11 3) || missing "python3 with venv is needed: apt-get install python3-venv"
        more=()
        [ -z "$pictures" ] || { needs chromium chromium; more=(--pictures "$pictures"); }
      else
        interpreter=$(python 3.11) || { say "$name: there is no Python 3.11, left out"; continue; }
        more=(--form components)
      fi
      folder=$(environment "$interpreter")
      "$folder/bin/python" "$here/Tests/Servers/home_assistant.py" "$leash" "$servers/$name" "${more[@]}" || code=$?
      ;;
    cluster)
      needs nats-server nats-server
      needs mosquitto_sub mosquitto-clients
      python3 "$here/Tests/Servers/cluster.py" "$leash" "$servers/cluster" || code=$?
      ;;
  esac
  [ $code -eq 0 ] || { say "$name: exit code $code"; exit $code; }
done
say "${names[*]}: all was seen"
