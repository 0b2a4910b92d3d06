import { describe, expect, test } from 'vitest'
import { Event } from '#api/foreign.ts'
import { Machine } from '#api/machine.ts'
import type { ForeignKind, KubeObject, ObjectMeta } from '#api/meta.ts'
import type { Log } from '#base/log.ts'
import type { KubeClient } from '#kube/client.ts'
import { EventRecorder } from '#runtime/events.ts'
import type { Notice } from '#runtime/plan.ts'
import type { Api } from '#test/conformance/apis.ts'
import { clientOfBlock } from '#test/conformance/kube/client-of.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { quietLog } from '#test/quiet-log.ts'

const namespace = 'default'

interface OldEvent extends KubeObject {
  message: string
  involvedObject: { kind: string; name: string }
}

/** Events as `kubectl get events` reads them. */
const CoreEvent: ForeignKind<OldEvent> = {
  ...{ group: '', version: 'v1', kind: 'Event', plural: 'events', scope: 'Namespaced' },
}

const about = (name: string, changes: Partial<ObjectMeta> = {}) => ({
  kind: Machine,
  resource: { metadata: { name, namespace, uid: `uid-of-${name}`, generation: 1, ...changes } },
})

const aNotice = (message = 'install v1.11.0'): Notice => ({
  ...{ type: 'Normal', reason: 'Installed', message },
})

/** A recorder that writes what it is told, and what it had to complain about. */
function aRecorder(client: KubeClient, instance = 'operator-0') {
  const complaints: unknown[] = []
  const complain: Log['warn'] = (message, fields) => void complaints.push([message, fields?.error])
  const log = quietLog({ error: complain, warn: complain })
  const clock = new FakeClock()
  const recorder = new EventRecorder({ client, clock, log, instance })
  /** Writes what waits, and ends. */
  const write = () => recorder.run(AbortSignal.abort())
  return { recorder, clock, complaints, write }
}

/** What becomes of events, whichever API they are told to. */
export const eventsContract = ({ name, start }: Api) =>
  describe(`events on ${name}`, () => {
    const client = clientOfBlock(start)

    const eventsOf = async (name: string) => {
      const fieldSelector = `regarding.kind=TalosMachine,regarding.name=${name}`
      return (await client().list(Event, { namespace, fieldSelector })).items
    }

    test('what is told is taken, and found by its object in the new API and in the old', async () => {
      const { recorder, complaints, write } = aRecorder(client())

      recorder.tell(about('m1'), aNotice())
      recorder.tellOnce(about('m1'), { type: 'Warning', reason: 'Paused', message: 'it is paused' })
      recorder.tell(about('m2'), aNotice())
      await write()

      expect([complaints, recorder.dropped]).toEqual([[], 0])
      const found = await eventsOf('m1')
      expect(found.map(({ reason, note }) => `${reason} ${note}`).sort()).toEqual([
        'Installed install v1.11.0',
        'Paused it is paused',
      ])
      const fieldSelector = 'involvedObject.name=m1,reason=Installed'
      const old = await client().list(CoreEvent, { namespace, fieldSelector })
      expect(old.items).toMatchObject([
        { message: 'install v1.11.0', involvedObject: { kind: 'TalosMachine', uid: 'uid-of-m1' } },
      ])
    })

    test('what is told again is counted in the same event', async () => {
      const { recorder, clock, complaints, write } = aRecorder(client())

      recorder.tell(about('again'), aNotice())
      await write()
      for (let times = 2; times <= 3; times++) {
        await clock.advance(10 * 60_000)
        recorder.tell(about('again'), aNotice())
        await write()
      }

      expect(complaints).toEqual([])
      expect(await eventsOf('again')).toMatchObject([
        { eventTime: '2030-01-01T00:00:00.000000Z', series: { count: 3 } },
      ])
    })

    test('an event that has expired is created anew, with its count', async () => {
      const { recorder, complaints, write } = aRecorder(client())
      recorder.tell(about('expired'), aNotice())
      await write()
      const [first] = await eventsOf('expired')
      await client().remove(Event, { namespace, name: first?.metadata.name ?? '' })

      recorder.tell(about('expired'), aNotice())
      await write()

      const [second] = await eventsOf('expired')
      expect(complaints).toEqual([])
      expect(second?.metadata.uid).not.toBe(first?.metadata.uid)
      expect(second).toMatchObject({ series: { count: 2 } })
    })

    test('what is so, and another process told before, is told no second time', async () => {
      for (const instance of ['operator-0', 'operator-1']) {
        const { recorder, complaints, write } = aRecorder(client(), instance)
        for (let times = 1; times <= 2; times++) {
          recorder.tellOnce(about('handed-over'), aNotice())
          await write()
        }
        expect([complaints, recorder.dropped]).toEqual([[], 0])
      }

      expect(await eventsOf('handed-over')).toMatchObject([{ reportingInstance: 'operator-0' }])
    })

    test.each([
      ['the longest name', about('x'.repeat(253)), aNotice()],
      [
        'a name with a dot where it is cut',
        about(`${'x'.repeat(229)}.${'y'.repeat(20)}`),
        aNotice(),
      ],
      ['the longest note', about('long-note'), aNotice('🔥'.repeat(1_000))],
      ['an empty note', about('no-note'), aNotice('')],
    ])('%s is taken', async (_what, regarding, notice) => {
      const { recorder, complaints, write } = aRecorder(client(), 'i'.repeat(300))

      recorder.tell(regarding, notice)
      await write()

      expect(complaints).toEqual([])
      expect(await eventsOf(regarding.resource.metadata.name)).toHaveLength(1)
    })
  })
