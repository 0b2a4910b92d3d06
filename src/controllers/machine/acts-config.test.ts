import { describe, expect, test } from 'vitest'
import { CONFIG, CONFIG_REJECTED, CONFIG_TRIED, MACHINE_UUID, TURN_DONE } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { systemClock } from '#base/clock.ts'
import { ClusterNodes } from '#engine/cluster-nodes.ts'
import { type Tried, triedText } from '#engine/config-record.ts'
import { Credentials } from '#engine/credentials.ts'
import { LongCalls } from '#engine/long-calls.ts'
import { configFingerprint, wantedConfig } from '#engine/wanted-config.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import type { Writer } from '#runtime/writer.ts'
import type { Application } from '#talos/calls/configuration.ts'
import { MachineError, type Outcome } from '#talos/outcome.ts'
import { aControlPlane, aMachine } from '#test/builders.ts'
import { aMember, aWorld, UUID } from '#test/machine-world.ts'
import { quietLog } from '#test/quiet-log.ts'
import { configActs } from './acts-config.ts'

const BOOT = { id: 'boot-1', schematic: undefined, extensions: [], installer: undefined }
const bundle = await generateBundle({ talosVersion: 'v1.6', now: new Date() })
const resource = aMachine({
  metadata: { annotations: { [MACHINE_UUID]: UUID }, resourceVersion: '42', uid: 'uid-1' },
})
const wanted = wantedConfig({
  ...{ controlPlane: aControlPlane(), machine: resource, bundle, installDisk: '/dev/sda' },
})
const config = configFingerprint(wanted)
const access = await new Credentials({ clock: systemClock }).of(bundle, 'default/prod')

/** A machine that answers so to each application of a configuration, and what was written meanwhile. */
function aMachineThat(...outcomes: (Outcome | 'yes')[]) {
  return aMachineOf(resource, outcomes)
}

function aMachineOf(resource: Machine, outcomes: (Outcome | 'yes')[] = []) {
  const log: string[] = []
  const annotations: Record<string, string> = {}
  const apply = async ({ mode, dryRun = false, tryTimeoutMs }: Application) => {
    log.push([dryRun ? 'dry' : 'apply', mode, tryTimeoutMs ?? ''].join(' ').trim())
    const outcome = outcomes.shift() ?? 'yes'
    if (outcome !== 'yes') throw new MachineError({ outcome, message: `it is ${outcome}` })
  }
  const same = {
    where: 'here',
    cluster: { etcdMemberId: async () => 1n },
    etcd: { members: async () => [{ id: 1n, isLearner: false }] },
    state: { systemInformation: async () => ({ uuid: UUID }) },
    configuration: { apply },
  }
  const machines = {
    machine: () => ({ bound: (work: (bound: typeof same) => unknown) => work(same) }) as never, // no more of it is asked
  }
  const refuse = () => Promise.reject(new Error('nothing of this is to be written'))
  const write: Writer = {
    signal: new AbortController().signal,
    ...{ create: refuse, apply: refuse, remove: refuse },
    patch: async (_kind, _name, { body }) => {
      const noted = Object(body).metadata.annotations
      log.push(`note ${Object.keys(noted).map((key) => key.split('/')[1])}`)
      Object.assign(annotations, noted)
      return resource as never // nobody looks at what it yields
    },
  }
  const acts = configActs({
    ...{ clock: systemClock, machines, writesMeta: true, newBundle: generateBundle },
    credentials: new Credentials({ clock: systemClock }),
    long: new LongCalls({ clock: systemClock }),
    nodes: new ClusterNodes({ clock: systemClock, log: quietLog(), userAgent: 'test' }),
  })
  const known = { is: 'known' as const, fingerprint: config, origin: 'from', metaText: undefined }
  const world = (turn: number | undefined) =>
    aWorld({
      ...{ turn, wanted: known, seen: aMember({ boot: BOOT }) },
      means: { access, config: () => wanted, others: [] },
    })
  const applied = (mode: 'live' | 'try' | 'reboot', { hasTurn = true } = {}) =>
    acts.applyConfig(
      { do: 'applyConfig', uuid: UUID, config, mode, times: 2 },
      { resource, world: world(hasTurn ? 3 : undefined), write },
    )
  return { applied, log, annotations, acts, at: { resource, world: world(3), write } }
}

test.each([
  ['live', ['dry no-reboot', 'note config-tried', 'apply no-reboot']],
  ['try', ['dry no-reboot', 'note config-tried', 'apply try 120000']],
  ['reboot', ['dry reboot', 'note config-tried', 'apply reboot']],
] as const)('a change (%s) is tried, written down and made, in this order', async (mode, order) => {
  const { applied, log, annotations } = aMachineThat()
  await applied(mode)

  expect(log).toEqual(order)
  expect(annotations[CONFIG_TRIED]).toMatch(
    new RegExp(`^${config} 2 \\S+ ${mode}${mode === 'reboot' ? ' boot-1' : ''}$`),
  )
})

test('what a machine refuses when it is asked to try is not made, and its words are kept', async () => {
  const { applied, log, annotations } = aMachineThat('refused')
  await applied('live')

  expect(log).toEqual(['dry no-reboot', 'note config-rejected'])
  expect(annotations[CONFIG_REJECTED]).toBe(`${config} it is refused`)
})

test('what it refuses after all is not asked for again, too', async () => {
  const { applied, annotations } = aMachineThat('yes', 'refused')
  await applied('live')

  expect(annotations[CONFIG_REJECTED]).toBe(`${config} it is refused`)
})

test('what it refuses after all is over', async () => {
  const { applied, annotations } = aMachineThat('yes', 'refused')
  await applied('reboot')

  expect(annotations[CONFIG_TRIED]).toMatch(new RegExp(`^${config} 0 \\S+ live$`))
})

test('an answer that is lost is no failure, and no refusal', async () => {
  const { applied, annotations } = aMachineThat('yes', 'lost')
  await applied('live')

  expect(Object.keys(annotations)).toEqual([CONFIG_TRIED])
})

test('a machine that is not ready for it is asked again, and nothing is held against it', async () => {
  const { applied, annotations } = aMachineThat('not-ready')

  await expect(applied('live')).rejects.toThrow('it is not-ready')
  expect(annotations).toEqual({})
})

test('nothing is changed out of turn', async () => {
  const { applied, log } = aMachineThat()

  await expect(applied('live', { hasTurn: false })).rejects.toThrow('not of this look')
  expect(log).toEqual([])
})

describe('what a machine was told to take', () => {
  const at = new Date('2030-01-01T00:00:00Z')
  const having = (tried: Partial<Tried> = {}) => {
    const text = triedText({ config, times: 3, at, mode: 'try', ...tried })
    const annotations = { ...resource.metadata.annotations, [CONFIG_TRIED]: text }
    return aMachineOf({ ...resource, metadata: { ...resource.metadata, annotations } })
  }
  const CLOSED = `${config} 0 ${at.toISOString()} live`

  test('is over when it keeps that', async () => {
    const { acts, at: there, log, annotations } = having()
    await acts.keepConfig({ do: 'keepConfig', uuid: UUID, config: { origin: 'o', config } }, there)

    expect(log).toEqual(['apply no-reboot', 'note config,config-tried'])
    expect(annotations).toEqual({ [CONFIG]: `o ${config}`, [CONFIG_TRIED]: CLOSED })
  })

  test('is over when it does not take it, so that it can be told anew', async () => {
    const { acts, at: there, annotations } = having()
    await acts.noteRejected({ do: 'noteRejected', config, why: 'no' }, there)

    expect(annotations).toEqual({ [CONFIG_REJECTED]: `${config} no`, [CONFIG_TRIED]: CLOSED })
  })

  test('is over with the turn in which it took it', async () => {
    const { acts, at: there, log, annotations } = having()
    await acts.endTurn({ do: 'endTurn', turn: 3, took: config }, there)

    expect(log).toHaveLength(1)
    expect(annotations).toEqual({ [TURN_DONE]: '3', [CONFIG_TRIED]: CLOSED })
  })

  test('is not over with a turn in which it did not', async () => {
    const { acts, at: there, annotations } = having()
    await acts.endTurn({ do: 'endTurn', turn: 3 }, there)

    expect(annotations).toEqual({ [TURN_DONE]: '3' })
  })

  test('is marked when it does not answer with it', async () => {
    const { acts, at: there, annotations } = having()
    await acts.noteCutOff({ do: 'noteCutOff', config }, there)

    expect(annotations[CONFIG_TRIED]).toBe(`${config} 3 ${at.toISOString()} try cut-off`)
  })

  test('is not marked if it was told something else since', async () => {
    const { acts, at: there, annotations } = having({ config: 'another' })
    const marked = async () => acts.noteCutOff({ do: 'noteCutOff', config }, there)

    await expect(marked()).rejects.toThrow('not of this look')
    expect(annotations).toEqual({})
  })
})
