#!/bin/sh
# Installs Leash, or removes what it installed: packaging/install.sh install|uninstall
#
# From the environment: PREFIX (/usr/local), SYSCONFDIR (/etc), DESTDIR (nothing), BINARY (.build/release/leash).
# With a DESTDIR only files are written there, for a package; without one the user is made and systemd told.
set -eu

prefix=${PREFIX:-/usr/local}
sysconf=${SYSCONFDIR:-/etc}
dest=${DESTDIR:-}
here=$(cd "$(dirname "$0")" && pwd)
binary=${BINARY:-$here/../.build/release/leash}
config=$sysconf/leash/leash.json5

say() { printf '%s\n' "$*"; }
die() { printf 'install: %s\n' "$*" >&2; exit 3; }

# Every file that is installed but the configuration: path and mode.
files() {
  say "$prefix/bin/leash 0755"
  say "$prefix/lib/systemd/system/leash.service 0644"
  say "$prefix/lib/sysusers.d/leash.conf 0644"
  say "$prefix/lib/udev/rules.d/60-leash.rules 0644"
}

put() { # put SOURCE PATH: to the place and mode that the list says
  mode=$(files | sed -n "s|^$2 ||p")
  install -D -m "$mode" "$1" "$dest$2"
  say "  $2"
}

# What is done to the running system; never with a DESTDIR.
tell_system() { # tell_system COMMAND…: it may not be there, or nothing may run, as in a container
  [ -z "$dest" ] || return 0
  command -v "$1" >/dev/null 2>&1 || return 0
  "$@" || say "  (did not work here: $*)"
}

case ${1:-} in
install)
  [ -x "$binary" ] || die "there is no $binary; build it first: make release"
  [ -n "$dest" ] || [ "$(id -u)" -eq 0 ] || die "installing to $prefix needs root: sudo make install"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  sed -e "s|@BINDIR@|$prefix/bin|" -e "s|@CONFIG@|$config|" "$here/leash.service.in" >"$work/leash.service"
  put "$binary" "$prefix/bin/leash"
  put "$work/leash.service" "$prefix/lib/systemd/system/leash.service"
  put "$here/leash.sysusers" "$prefix/lib/sysusers.d/leash.conf"
  put "$here/60-leash.rules" "$prefix/lib/udev/rules.d/60-leash.rules"
  tell_system systemd-sysusers "$prefix/lib/sysusers.d/leash.conf"
  install -d -m 0755 "$dest$sysconf/leash"
  if [ -e "$dest$config" ]; then
    say "  $config is there already and stays as it is"
  else
    "$binary" config example >"$work/leash.json5"
    install -m 0640 "$work/leash.json5" "$dest$config"
    [ -n "$dest" ] || chgrp leash "$config" 2>/dev/null || say "  (there is no group leash: 'chgrp leash $config' when there is)"
    say "  $config (an example: edit it)"
  fi
  [ ! -d /run/udev ] || tell_system udevadm control --reload
  [ ! -d /run/systemd/system ] || tell_system systemctl daemon-reload
  [ -n "$dest" ] || say "Next: edit $config; sudo -u leash leash doctor; sudo systemctl enable --now leash"
  ;;
uninstall)
  [ -n "$dest" ] || [ "$(id -u)" -eq 0 ] || die "removing from $prefix needs root: sudo make uninstall"
  [ ! -d /run/systemd/system ] || tell_system systemctl disable --now leash.service
  files | while read -r path _; do
    [ -e "$dest$path" ] || continue
    rm -f "$dest$path"
    say "  removed $path"
    # Folders that were made for it, up to the prefix; others' files keep theirs.
    folder=$(dirname "$path")
    while [ "$folder" != "$prefix" ] && rmdir "$dest$folder" 2>/dev/null; do folder=$(dirname "$folder"); done
  done
  [ -n "$dest" ] && rmdir -p "$dest$prefix" 2>/dev/null || :
  [ ! -d /run/udev ] || tell_system udevadm control --reload
  [ ! -d /run/systemd/system ] || tell_system systemctl daemon-reload
  say "Kept: $sysconf/leash, /var/lib/leash and the user leash"
  ;;
*) die "usage: packaging/install.sh install|uninstall" ;;
esac
