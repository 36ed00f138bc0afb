// modules: JSON5
import JSON5

/// Text from anywhere: a value with places inside the text, or a problem of one line with one; never a crash.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON5(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  do throws(JSON5Problem) {
    let value = try JSON5Value(reading: bytes)
    promise(value.position.line >= 1 && value.position.column >= 1, "a value without a place")
    if case .string(let text) = value.content {
      promise((try? JSON5Value(reading: json5Quoted(text)))?.content == value.content, "a text that is not read back")
    }
  } catch {
    promise(error.position.line >= 1 && error.position.line <= count + 1, "a problem without a place")
    promise(!error.message.utf8.contains { $0 < 0x20 }, "a problem of more than a line")
  }
  return 0
}
