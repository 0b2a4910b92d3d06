import { expect, test } from 'vitest'
import { AClient, AMachine, aCluster, serveOne } from './a-machine.cases.ts'
import { machineCalls as cases } from './machine-calls.cases.ts'
import { status } from './status.ts'

const cluster = aCluster()

test.each(cases)('$name asks and answers as the machine understands it', async (row) => {
  const asked: unknown[] = []
  await using server = await AMachine.start({
    of: cluster,
    serve: serveOne(row.method, { messages: row.answers }, asked),
  })
  using client = new AClient()

  const result = await row.call(client.machine(server.target(cluster.access)))

  expect(result).toEqual(row.result)
  expect(asked).toMatchObject(row.asked)
})

test.each(cases)('$name that is refused says so with the words of the machine', async (row) => {
  await using server = await AMachine.start({
    of: cluster,
    serve: serveOne(row.method, {
      error: { code: status.INVALID_ARGUMENT, details: 'not like this' },
    }),
  })
  using client = new AClient()
  const machine = client.machine(server.target(cluster.access))

  await expect(row.call(machine)).rejects.toMatchObject({
    code: 'MachineRefused',
    outcome: 'refused',
    status: status.INVALID_ARGUMENT,
    message: expect.stringMatching(
      new RegExp(`^could not .* ${machine.where}: not like this \\(INVALID_ARGUMENT\\)$`),
    ),
  })
})

test('every call of a machine is in the table, or is a reading of resources', async () => {
  using client = new AClient()
  const machine = client.machine({ address: '127.0.0.1', access: { kind: 'maintenance' } })
  const named = (of: object, prefix = ''): string[] =>
    Object.entries(of).flatMap(([name, value]: [string, unknown]) => {
      if (typeof value === 'function') return [`${prefix}${name}`]
      return typeof value === 'object' && value ? named(value, `${prefix}${name}.`) : []
    })

  const all = await machine.bound(async (same) => named(same))
  const missing = all
    .filter((name) => !/^(resources|state|cluster)\./.test(name))
    .map((name) => name.replace('configuration.apply', 'apply'))
    .filter((name) => !cases.some((row) => row.name === name))
  expect(missing).toEqual([])
})
