import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import type { Call } from './boundary.ts'
import { QUICK } from './manifests.ts'
import { conditionOf } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

// What a cluster of 1 + 2 costs until it is Ready, in calls that change something: a bring-up of a thousand clusters is
// a thousand times that. A number that grows is a cost that somebody has to want.

let world: World
let made: Map<string, number>
let asked: number
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.120', machines: 3, versions: QUICK })
  await world.bringSecrets('one')
  await world.objects.apply(world.cluster('one', [1], [2, 3]))
  await world.until('the cluster to be Ready', async () => {
    const ready = await conditionOf(world, [Cluster, 'one'], 'Ready')
    return ready?.status === 'True'
  })
  await world.pass(10)
  made = counted(world.history)
  asked = requestsIn(await world.metrics(), 'get')
})
afterAll(() => world[Symbol.asyncDispose]())

function counted(history: readonly Call[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const call of history) {
    const name = nameOf(call)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

const requestsIn = (metrics: string, verb: string): number =>
  [...metrics.matchAll(/^talos_operator_api_requests_total\{verb="(\w+)".*\} (\d+)$/gm)]
    .filter(([, of]) => of === verb)
    .reduce((sum, [, , count]) => sum + Number(count), 0)

function nameOf(call: Call): string {
  if (call.to === 'disk') return `disk ${call.method}`
  const dry = call.isDryRun ? ' (dry run)' : ''
  return call.to === 'machine'
    ? `machine ${call.method}${dry}`
    : `${call.method} ${call.kind}${dry}`
}

// How often a status is written follows what is seen on the way, and one that leads renews its Lease.
const OTHERWISE = /\/status$| events$| leases$|^machine bootstrap$/

test('objects are written, and machines told, as often as there is something to say', () => {
  const exact = [...made].filter(([name]) => !OTHERWISE.test(name)).sort()

  expect(Object.fromEntries(exact)).toEqual({
    // The Secret of the keys is held, once.
    'PATCH secrets': 1,
    // A finalizer on each, what it is made for, and where its bootstrap is.
    ...{ 'PATCH talosclusters': 1, 'PATCH taloscontrolplanes': 6, 'PATCH talosworkers': 1 },
    // Of each machine that it is claimed, and what it was given; of one that it is a member of etcd.
    'PATCH talosmachines': 7,
    // kubeconfig, talosconfig, the configuration and the copy in the published layout.
    'POST secrets': 4,
    ...{ 'POST taloscontrolplanes': 1, 'POST talosworkers': 1, 'POST talosmachines': 3 },
    ...{ 'machine configuration.apply': 3, 'machine configuration.apply (dry run)': 3 },
  })
})

test('a status is written when it says something else, and an event tells what was done', () => {
  const sum = (pattern: RegExp) =>
    [...made].reduce((all, [name, count]) => all + (pattern.test(name) ? count : 0), 0)

  // Seen: 56 to 64, and 22 or 23. One that is asked to begin before it can says so, and is asked again.
  expect(sum(/\/status$/)).toBeLessThanOrEqual(72)
  expect(sum(/ events$/)).toBeLessThanOrEqual(26)
})

test('the API is asked for single objects as often as safety demands it', () => {
  // Seen: 108 to 120. Two in three are for the keys, which whoever may be given something gets as they are (ADR 40).
  expect(asked).toBeGreaterThan(50)
  expect(asked).toBeLessThanOrEqual(130)
})
