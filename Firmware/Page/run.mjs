// Runs the module by node as the page does: the log is standard input, what the tracker does goes to standard output, what came of
// the run to standard error.
//
//   node Firmware/Page/run.mjs .build/wasm/leash.wasm <ride.leash
import { readFileSync, writeSync } from "node:fs";
import process from "node:process";
import { runModule } from "./module.js";

const [path, ...words] = process.argv.slice(2);
const { code, output, report } = runModule(new WebAssembly.Module(readFileSync(path)), readFileSync(0), words);
const writeAll = (file, bytes) => {
  for (let place = 0; place < bytes.length;) place += writeSync(file, bytes, place);
};
writeAll(1, output);
writeAll(2, report);
process.exitCode = code;
