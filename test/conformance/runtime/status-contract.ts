import { describe, expect, test } from 'vitest'
import { EtcdBackupSchedule } from '#api/etcd-backup-schedule.ts'
import { Machine } from '#api/machine.ts'
import type { Kind, KubeObject } from '#api/meta.ts'
import { conditionsIn } from '#runtime/conditions.ts'
import { isSaid, type Status, statusAfter, writeStatus } from '#runtime/status.ts'
import type { Api } from '#test/conformance/apis.ts'
import { clientOfBlock } from '#test/conformance/kube/client-of.ts'

const namespace = 'default'
const { signal } = new AbortController()

const spec = {
  schedule: '@daily',
  backupTemplate: {
    spec: {
      talosControlPlaneRef: { name: 'prod' },
      backupStorage: {
        s3: {
          bucket: 'b',
          region: 'r',
          accessKeyID: { name: 'keys', key: 'id' },
          secretAccessKey: { name: 'keys', key: 'secret' },
        },
      },
    },
  },
}

const aCondition = (type: string, status = 'True') => ({
  ...{ type, status, reason: 'Known', message: 'as it is' },
  lastTransitionTime: '2029-12-31T00:00:00Z',
})

const NEXT = '2030-01-02T00:00:00Z'

/** What writing a status promises, whichever API it is written to. */
export const statusContract = ({ name, start }: Api) =>
  describe(`a status on ${name}`, () => {
    const client = clientOfBlock(start)

    const make = (name: string) =>
      client().create(EtcdBackupSchedule, { metadata: { namespace, name }, spec })
    const write = (resource: KubeObject, status: Status, kind: Kind = EtcdBackupSchedule) =>
      writeStatus(client(), kind, { resource, status, signal })
    const get = (resource: KubeObject) =>
      client().get(EtcdBackupSchedule, { namespace, name: resource.metadata.name })
    /** The operator that was here before writes the whole status, as a controller of its time does. */
    const putAsOther = async (
      resource: KubeObject,
      status: object,
      kind: Kind = EtcdBackupSchedule,
    ) => {
      const { name } = resource.metadata
      const found = await client().get<Kind>(kind, { namespace, name })
      const options = { subresource: 'status', fieldManager: 'manager' } as const
      return client().update<Kind>(kind, { ...found, status }, options)
    }
    const statusOf = (resource: KubeObject, status: object, conditions = {}) =>
      statusAfter({
        kind: EtcdBackupSchedule,
        resource,
        plan: { status, conditions },
        now: new Date('2030-01-01T00:00:00Z'),
      })

    test('is written whole, and what is left out the next time goes', async () => {
      const schedule = await make('whole')
      const first = await write(
        schedule,
        statusOf(schedule, { nextScheduleTime: NEXT, activeBackups: ['a'] }),
      )
      const second = await write(first, statusOf(first, { nextScheduleTime: NEXT }))

      expect(first.status).toMatchObject({ nextScheduleTime: NEXT, activeBackups: ['a'] })
      expect(second.status).toEqual({
        nextScheduleTime: NEXT,
        observedGeneration: 1,
        conditions: [expect.objectContaining({ type: 'Ready', status: 'True' })],
      })
    })

    test('written again changes nothing, not even the version', async () => {
      const one = await make('twice')
      const status = statusOf(one, { nextScheduleTime: NEXT })
      const written = await write(one, status)

      const again = await write(written, statusOf(written, { nextScheduleTime: NEXT }))

      expect(again.metadata.resourceVersion).toBe(written.metadata.resourceVersion)
      expect(isSaid(EtcdBackupSchedule, written, status)).toBe(true)
    })

    test('is refused for an object that was made anew under the same name', async () => {
      const old = await make('reborn')
      await client().remove(EtcdBackupSchedule, { namespace, name: 'reborn' })
      const fresh = await make('reborn')

      const writing = write(old, statusOf(old, { nextScheduleTime: NEXT }))

      await expect(writing).rejects.toMatchObject({ reason: 'Conflict' })
      expect(await get(old)).toEqual(fresh)
    })

    test('is refused for an object that is gone', async () => {
      const old = await make('gone')
      await client().remove(EtcdBackupSchedule, { namespace, name: 'gone' })

      await expect(write(old, statusOf(old, {}))).rejects.toMatchObject({ status: 404 })
    })

    test('what another writer has left behind goes, in one go, but for conditions that are not ours', async () => {
      const one = await make('taken-over')
      const found = await putAsOther(one, {
        lastScheduleTime: '2029-01-01T00:00:00Z',
        nextScheduleTime: '2029-01-02T00:00:00Z',
        activeBackups: ['old'],
        conditions: [
          aCondition('Failed', 'False'),
          aCondition('Haunted'),
          aCondition('Ready', 'False'),
        ],
      })
      const status = statusOf(found, { nextScheduleTime: NEXT })

      const written = await write(found, status)

      expect(written).toEqual(await get(one))
      expect(Object.keys(Object(written.status)).sort()).toEqual([
        'conditions',
        'nextScheduleTime',
        'observedGeneration',
      ])
      const types = conditionsIn(written.status).map(({ type }) => type)
      expect(types.sort()).toEqual(['Haunted', 'Ready'])
      expect(isSaid(EtcdBackupSchedule, written, status)).toBe(true)
    })

    test('is said already in whatever order another writer has put the conditions', async () => {
      const one = await make('reversed')
      const Failed = { ok: false, reason: 'Known', message: 'as it is' }
      const found = await putAsOther(one, {
        conditions: [aCondition('Failed', 'False'), aCondition('Ready')],
      })

      const written = await write(found, statusOf(found, {}, { Failed }))
      const wanted = statusOf(written, {}, { Failed })

      expect(isSaid(EtcdBackupSchedule, written, wanted)).toBe(true)
      const again = await write(written, wanted)
      expect(again.metadata.resourceVersion).toBe(written.metadata.resourceVersion)
    })

    test('what another writer has left inside of a field goes too', async () => {
      const metadata = { namespace, name: 'nested' }
      const machine = await client().create(Machine, {
        metadata,
        spec: { endpoint: '10.0.0.1', version: 'v1.11.0' },
      })
      const found = await putAsOther(
        machine,
        { etcdMember: { id: 'a1', learner: true }, config: 'secret' },
        Machine,
      )

      const written = await write(found, { etcdMember: { id: 'b2' } }, Machine)

      // The server fills in what has a default; that it is another writer's no more is what counts.
      const { etcdMember, config } = Object(written.status)
      expect([etcdMember.id, etcdMember.learner ?? false, config]).toEqual(['b2', false, undefined])
    })

    test('leftovers are not taken away from a version that we have not seen', async () => {
      const one = await make('contested')
      const found = await putAsOther(one, { activeBackups: ['old'] })
      await client().patch(
        EtcdBackupSchedule,
        { namespace, name: 'contested' },
        { type: 'merge', body: { metadata: { labels: { edited: 'meanwhile' } } } },
      )

      const writing = write(found, statusOf(found, {}))

      await expect(writing).rejects.toMatchObject({ reason: 'Conflict' })
      expect((await get(one)).status).toMatchObject({ activeBackups: ['old'] })
    })
  })
