// Waits until a machine is in maintenance mode, and says what it is made of, so that a configuration can be written for it.
//
//   node --import tsx examples/talos-client/wait-for-machine.ts ADDRESS [FINGERPRINT]
//
// The fingerprint is that of the machine's key, which it shows on its screen and has anew after each boot. Without it whoever
// answers at the address is believed: nobody vouches for a machine that has no configuration.

import { setTimeout as wait } from 'node:timers/promises'
import { TalosClient } from '#talos/client.ts'
import { MachineError } from '#talos/outcome.ts'

const EVERY_MS = 2_000
const NOT_YET = ['unreachable', 'not-ready', 'lost']

const [address = '127.0.0.1', pin] = process.argv.slice(2)
const print = (line: string) => process.stdout.write(`${line}\n`)

const client = new TalosClient()
const machine = client.machine({ address, access: { kind: 'maintenance', ...(pin && { pin }) } })

/** Whether it is there. Throws if somebody else is, or if it has a configuration already. */
async function isWaiting(): Promise<boolean> {
  try {
    return (await machine.state.status())?.stage === 'maintenance'
  } catch (error) {
    if (error instanceof MachineError && NOT_YET.includes(error.outcome)) return false
    throw error
  }
}

try {
  while (!(await isWaiting())) {
    print(`${address} is not there yet`)
    await wait(EVERY_MS)
  }
  // All of it over one connection: an address may be another machine's from one call to the next.
  await machine.bound(async (same) => {
    const [system, disks] = await Promise.all([same.state.systemInformation(), same.state.disks()])
    print(`${address} waits for a configuration: ${system?.uuid}`)
    for (const { dev_path, size, model, readonly } of disks) {
      print(`  ${dev_path.padEnd(14)} ${size} bytes ${model}${readonly ? ', read-only' : ''}`)
    }
  })
} catch (error) {
  if (!(error instanceof MachineError)) throw error
  process.stderr.write(`${error.outcome}: ${error.message}\n`)
  process.exitCode = 1
} finally {
  client.close()
}
