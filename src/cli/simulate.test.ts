import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { run } from './a-terminal.cases.ts'
import { addressesFrom } from './simulate-addresses.ts'
import { type ShownMachine, showMachines, tableOf } from './simulate-table.ts'

const aMachine = (number: number, change: Partial<ShownMachine> = {}): ShownMachine => ({
  ...{ address: `127.50.0.${number}`, hostname: `m-${number}`, talosVersion: 'v1.13.0' },
  ...{ stage: 'maintenance', isReady: true, isOn: true, type: undefined, ...change },
})

test('--help names every fault with its keys, and has an example', async () => {
  const { out } = await run('simulate', '--help')

  expect(out).toMatch(/dies .*\n +at=before-install\|/)
  expect(out).toContain('wrong-machine')
  expect(out).toContain('address-late')
  expect(out).toContain('sudo ifconfig lo0 alias')
  expect(out).toContain('talosctl apply-config --insecure')
})

test.each([
  [['--machines', '0'], 'from 1 to 5000'],
  [['--speed', '-1'], 'a number above 0'],
  [['--port', '70000'], 'from 1 to 65535'],
  [['--nope'], "unknown option '--nope'"],
  [['--talos', 'v1.2.0'], 'only v1.5 to v1.14 are'],
  [['--talos', 'latest'], 'invalid talos-version'],
  [['--fault', 'nope'], 'there is no fault "nope"'],
  [['--fault', 'dies'], 'dies needs at='],
  [['--fault', 'falls-back:127.9.9.9'], 'a machine that there is not'],
  [['--fault', 'provider-silent'], 'a provider that there is not'],
  [['--kubeconfig', '/nowhere'], '--kubeconfig is for --provider'],
  [['--provider', '--kubeconfig', '/nowhere'], '/nowhere'],
  [['--clusters', '2', '--shape', '3'], 'written like 1+2'],
  [['--clusters', '2', '--shape', '0+3'], 'from 1 to 500'],
  [['--clusters', '2', '--machines', '6'], 'cannot be had together'],
  [['--clusters', '2', '--provider'], 'cannot be had together'],
  [['--clusters', '2000', '--shape', '1+2'], 'takes 6000 machines'],
  [['--shape', '1+2'], '--shape is for --clusters'],
  [['--manifests', 'a.yaml'], '--manifests is for --clusters'],
  [['--address-base', '127.50.0'], 'is no IPv4 address'],
  [['--address-base', '192.0.2.1', '--port', '50999'], 'this computer does not have the address'],
])('%j is refused: %s', async (args, reason) => {
  const { err, exitCode } = await run('simulate', ...args)

  expect(exitCode).toBe(1)
  expect(err).toContain(reason)
})

test('addresses follow one another, over the end of a byte', () => {
  expect(addressesFrom('127.50.0.254', 4)).toEqual([
    ...['127.50.0.254', '127.50.0.255', '127.50.1.0', '127.50.1.1'],
  ])
  expect(() => addressesFrom('255.255.255.255', 2)).toThrow('no 2 addresses')
})

test('a table shows each machine, and counts those for which there is no room', () => {
  const machines = [1, 2, 3, 4, 5].map((number) => aMachine(number))

  expect(tableOf([aMachine(1, { isOn: false })], 10)).toEqual([
    'ADDRESS     HOSTNAME  TYPE  TALOS    STAGE  READY',
    '127.50.0.1  m-1       -     v1.13.0  off    ready',
  ])
  expect(tableOf(machines, 5)).toHaveLength(4)
  expect(tableOf(machines, 5).at(-1)).toBe('and 3 more: 3 maintenance')
})

function aFleet(...machines: ShownMachine[]) {
  const listeners = new Set<(address: string) => void>()
  return {
    machines,
    machine: (address: string) => machines.find((one) => one.address === address),
    onChange: (listener: (address: string) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change: (index: number, machine: ShownMachine) => {
      machines[index] = machine
      for (const listener of listeners) listener(machine.address)
    },
    remove: (index: number) => {
      machines.splice(index, 1)
      for (const listener of listeners) listener('127.50.0.1')
    },
  }
}

test('without a terminal every change of what is shown is a line, and nothing else is', () => {
  const lines: string[] = []
  const fleet = aFleet(aMachine(1))
  const screen = {
    write: (text: string) => lines.push(text),
    rows: () => undefined,
    clock: new FakeClock(),
  }
  using _shown = showMachines(fleet, screen)
  fleet.change(0, aMachine(1))
  fleet.change(0, aMachine(1, { stage: 'installing', isReady: false }))
  fleet.remove(0)
  fleet.remove(0)

  expect(lines).toEqual([
    '127.50.0.1  m-1  -  v1.13.0  maintenance  ready\n',
    '127.50.0.1  m-1  -  v1.13.0  installing  -\n',
    '127.50.0.1  gone\n',
  ])
})

test('on a terminal the table is drawn over itself, not more often than one can read', async () => {
  const clock = new FakeClock()
  const drawn: string[] = []
  const fleet = aFleet(aMachine(1))
  const screen = { write: (text: string) => drawn.push(text), rows: () => 24, clock }
  const shown = showMachines(fleet, screen)
  fleet.change(0, aMachine(1, { stage: 'installing' }))
  fleet.change(0, aMachine(1, { stage: 'rebooting' }))
  await clock.advance(1000)

  expect(drawn).toHaveLength(2)
  expect(drawn[1]?.startsWith('\u001b[2A')).toBe(true)
  expect(drawn[1]).toContain('rebooting')
  shown[Symbol.dispose]()
  expect(clock.waiting).toBe(0)
})
