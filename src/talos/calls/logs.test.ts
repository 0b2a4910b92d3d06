import { expect, test } from 'vitest'
import { AClient, AMachine, aCluster, serveOne } from '#talos/a-machine.cases.ts'
import { bytes } from '#talos/call-case.cases.ts'
import { MachineService } from '#talos/generated/machine/machine_pb.ts'
import type { TalosMachine } from '#talos/machine.ts'

const cluster = aCluster()

/** What a call comes to when a machine sends these pieces of a file. */
async function reading<Result>(
  texts: readonly string[],
  read: (machine: TalosMachine) => Promise<Result>,
): Promise<Result> {
  const messages = texts.map(bytes)
  const serve = serveOne(MachineService.method.read, { messages })
  await using server = await AMachine.start({ of: cluster, serve })
  using client = new AClient()
  return await read(client.machine(server.target(cluster.access)))
}

test.each([
  ['nothing', []],
  ['an empty line', ['\n']],
  ['something else', ['not yet\n']],
  ['two of them', ['2b6e3b5c-1c8f-4e0f-9d0a-5b8d6f0e7a11\n'.repeat(2)]],
])('%s is not taken for a boot id', async (_what, texts) => {
  await expect(reading(texts, (machine) => machine.bootId())).rejects.toMatchObject({
    outcome: 'lost',
    message: expect.stringMatching(/^what .* sent as its boot id is none$/),
  })
})

test('a boot id that does not end is not read to its end', async () => {
  const long = ['a'.repeat(600), 'b'.repeat(600)]

  await expect(reading(long, (machine) => machine.bootId())).rejects.toMatchObject({
    outcome: 'refused',
    message: expect.stringContaining('sent more than 1024 bytes where less was expected'),
  })
})

test('a file is read up to as many bytes as are wanted', async () => {
  const read = (mostBytes: number) =>
    reading(['ab', 'cd'], async (machine) => String(await machine.readFile('/x', { mostBytes })))

  expect(await read(4)).toBe('abcd')
  await expect(read(3)).rejects.toMatchObject({ outcome: 'refused' })
})
