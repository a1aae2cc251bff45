// Runs one benchmark in its own process, so that none sees what another left behind; reports to its parent.
import { benches } from './index.ts'

const [name] = process.argv.slice(2)
const bench = benches.find((known) => known.name === name)
if (!bench) throw new Error(`no benchmark is called ${String(name)}`)
process.send?.(await bench.run())
process.exit(0)
