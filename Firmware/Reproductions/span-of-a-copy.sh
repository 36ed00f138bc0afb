#!/usr/bin/env bash
# Shows whether the compiler still returns spans of copies that are gone (docs/decisions/0007-spans-are-transparent.md).
#
#   Firmware/Reproductions/span-of-a-copy.sh
#
# Exit codes: 0 it does not any more, 1 it still does, 3 swiftc is missing.
set -euo pipefail
command -v swiftc >/dev/null || { echo "swiftc is missing" >&2; exit 3; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/Storage.swift" <<'SWIFT'
public struct Bytes<let n: Int>: BitwiseCopyable {
  @usableFromInline var storage: InlineArray<n, UInt8>
  @usableFromInline var used: Int
  public init(_ byte: UInt8, count: Int) {
    storage = InlineArray(repeating: byte)
    used = count
  }
  @inlinable public var span: Span<UInt8> {
    @_lifetime(borrow self) get { storage.span.extracting(0..<used) }
  }
}
public protocol Sink { mutating func append(_ bytes: Span<UInt8>) }
public struct Text<let n: Int>: BitwiseCopyable {
  public let bytes: Bytes<n>
  public init(_ byte: UInt8, count: Int) { bytes = Bytes(byte, count: count) }
}
extension Sink {
  public mutating func append<let n: Int>(text: Text<n>) { append(text.bytes.span) }
}
SWIFT
cat >"$work/Use.swift" <<'SWIFT'
import Storage
public struct Sum: Sink {
  public var sum = 0
  @inline(never) public mutating func append(_ bytes: Span<UInt8>) {
    for place in 0..<bytes.count { sum += Int(bytes[place]) }
  }
}
public func use(_ text: Text<64>, _ sum: inout Sum) { sum.append(text: text) }
SWIFT
flags=(-target armv7em-none-none-eabi -enable-experimental-feature Embedded -enable-experimental-feature Lifetimes
  -swift-version 6 -wmo -O -parse-as-library)
swiftc "${flags[@]}" -module-name Storage -emit-module -emit-module-path "$work/Storage.swiftmodule" -c "$work/Storage.swift" \
  -o "$work/Storage.o"
swiftc "${flags[@]}" -module-name Use -I "$work" -emit-sil "$work/Use.swift" >"$work/Use.sil"
# In the specialised function: a second copy on the stack that is given up before the call that reads the span.
awk '/^sil / { name = $0; gone = 0 } /alloc_stack \$Bytes<64>/ { copy = $1; gone = 0 }
  $1 == "dealloc_stack" && $2 == copy { gone = 1 }
  / apply / && gone { print "a span of a copy that is gone is passed on in: " name; found = 1; gone = 0 }
  END { exit found }' "$work/Use.sil" || exit 1
echo "spans are of what they were asked of"
