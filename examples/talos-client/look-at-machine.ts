// What a machine of a cluster is and what runs on it.
//
//   node --import tsx examples/talos-client/look-at-machine.ts TALOSCONFIG ADDRESS

import { TalosClient } from '#talos/client.ts'
import { MachineError } from '#talos/outcome.ts'
import { clusterAccess } from './cluster-access.ts'

const [talosconfig = 'talosconfig', address = '127.0.0.1'] = process.argv.slice(2)
const print = (line: string) => process.stdout.write(`${line}\n`)

const client = new TalosClient()
try {
  // The machine that is asked is the one at this address: a talosconfig's endpoints are not used.
  const machine = client.machine({ address, access: await clusterAccess(talosconfig) })

  const [{ version, arch, platform }, state, units] = await Promise.all([
    machine.version(),
    machine.state.status(),
    machine.services.list(),
  ])
  print(
    `${address} runs Talos ${version} (${platform}, ${arch}) and is ${state?.stage ?? 'silent'}`,
  )
  for (const { id, state: is, isHealthy } of units) {
    print(`  ${id.padEnd(20)} ${is}${isHealthy === false ? ', not healthy' : ''}`)
  }
} catch (error) {
  // What became of a call, in one word; the message is for people.
  if (!(error instanceof MachineError)) throw error
  process.stderr.write(`${error.outcome}: ${error.message}\n`)
  process.exitCode = 1
} finally {
  client.close()
}
