#!/bin/sh
# Installs what Leash needs from Debian and is not there yet. Quick and silent when all is there.
#
# Needs Swift 6.3 on the path already: https://www.swift.org/install/linux/
set -eu

packages="gcc-arm-none-eabi gpsd libcurl4-openssl-dev libgpiod-dev libgps-dev libmicrohttpd-dev libmosquitto-dev
  libqrencode-dev libserialport-dev libsodium-dev libsqlite3-dev libsystemd-dev picolibc-arm-none-eabi python3 qemu-system-arm zlib1g-dev"
# Programs that some tests run as clients and servers; those tests say that they skip where they can't be had.
optional="chromium dbus-daemon faketime gammu librsvg2-bin mosquitto openssl ppp zbar-tools"
[ $# -eq 0 ] || { packages="$*" optional=""; } # for tools that only some targets need, such as valgrind

say() { printf 'setup: %s\n' "$*" >&2; }

if [ $# -eq 0 ] && ! command -v swift >/dev/null 2>&1; then
  say "swift is not on the path; install Swift 6.3 from https://www.swift.org/install/linux/ and run this again"
  exit 3
fi
if ! command -v dpkg-query >/dev/null 2>&1; then
  say "this is not Debian: install what corresponds to: $packages"
  exit 0
fi

installed=" $(dpkg-query -W -f='${Package}=${db:Status-Status} ' $packages $optional 2>/dev/null || true)"
not_installed() { # not_installed PACKAGE…: those of them that are missing, a space before each
  for package in "$@"; do
    case "$installed" in
      *" $package=installed "*) ;;
      *) printf ' %s' "$package" ;;
    esac
  done
}
# shellcheck disable=SC2086 # lists of words
missing=$(not_installed $packages)
# shellcheck disable=SC2086
optional=$(not_installed $optional)

# One try without questions: nothing depends on these.
install_optional() {
  [ -n "$optional" ] || return 0
  as_root=""
  [ "$(id -u)" -eq 0 ] || as_root="sudo -n"
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $optional \
    </dev/null >/dev/null 2>&1 || say "not installed, tests that use them will skip:$optional"
}

if [ -z "$missing" ]; then
  install_optional
  exit 0
fi

as_root=""
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    say "these packages are missing:$missing"
    say "there is no sudo here; as root run: apt-get install --no-install-recommends$missing"
    exit 3
  fi
  as_root="sudo"
fi

say "installing$missing"
install() {
  # shellcheck disable=SC2086 # lists of words
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing </dev/null >&2
}
# The package lists of a fresh image are empty or old: fetch them when the first try fails.
if ! install; then
  say "fetching the package lists and trying again"
  if ! { $as_root apt-get update -q >&2 && install; }; then
    say "apt could not install:$missing"
    say "see its message above; without network access install them by hand and run this again"
    exit 3
  fi
fi
install_optional
