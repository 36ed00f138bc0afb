// Runs the module by node as the page does: the log is standard input, what the tracker does goes to standard output, what came of
// the run to standard error.
//
//   node Firmware/Page/run.mjs .build/wasm/leash.wasm <ride.leash
import { readFileSync } from "node:fs";
import process from "node:process";
import { runModule } from "./module.js";

const [path, ...words] = process.argv.slice(2);
const { code, output, report } = runModule(new WebAssembly.Module(readFileSync(path)), readFileSync(0), words);
process.stdout.write(output);
process.stderr.write(report);
process.exitCode = code;
