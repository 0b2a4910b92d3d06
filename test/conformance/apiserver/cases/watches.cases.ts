import type { Fields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import type { Stage } from '#test/conformance/apiserver/stage.ts'
import { at, textAt } from '#test/conformance/apiserver/values.ts'
import {
  configMap,
  configMapsOf,
  MERGE,
  PARTIAL,
  PARTIAL_LIST,
  pathIn,
  TABLE,
  widget,
  widgetsOf,
} from './objects.ts'

const OWN = 'fieldSelector=metadata.name!%3Dkube-root-ca.crt'

const watchPath = (stage: Stage, query = '') =>
  `${widgetsOf(stage)}?watch=true&timeoutSeconds=20${query && `&${query}`}`

const create = (stage: Stage, name: string, rest: Fields = {}) =>
  stage.post(widgetsOf(stage), { ...widget(stage, name), ...rest }, { show: () => '' })

const relabel = (stage: Stage, name: string, labels: Fields) =>
  stage.patch(
    widgetsOf(stage, name),
    { metadata: { labels } },
    { contentType: MERGE, show: () => '' },
  )

const remove = (stage: Stage, name: string) =>
  stage.delete(widgetsOf(stage, name), undefined, { show: () => '' })

/** Type and name of an event, and whether it is the bookmark that ends the initial ones. */
const brief = (event: unknown): unknown =>
  at(event, 'type') === 'ERROR'
    ? event
    : [
        textAt(event, 'type'),
        textAt(event, 'object', 'kind'),
        textAt(event, 'object', 'metadata', 'name'),
        at(event, 'object', 'metadata', 'annotations') ?? {},
      ]

async function now(stage: Stage): Promise<string> {
  const { body } = await stage.quietly({ method: 'GET', path: widgetsOf(stage) })
  return textAt(body, 'metadata', 'resourceVersion')
}

const following: Case[] = [
  asking('a watch without a resourceVersion begins with what is there', async (stage) => {
    await create(stage, 'a')
    const watch = await stage.watch(watchPath(stage))
    await watch.take(1)
    await create(stage, 'b')
    await relabel(stage, 'a', { x: 'y' })
    await remove(stage, 'b')
    await watch.take(3)
  }),
  asking('a watch from 0 begins with what is there', async (stage) => {
    await create(stage, 'a')
    // A real server answers this from a cache, which has caught up after a list.
    await now(stage)
    const watch = await stage.watch(watchPath(stage, 'resourceVersion=0'))
    await watch.take(1)
    await relabel(stage, 'a', { x: 'y' })
    await watch.take(1)
  }),
  asking('a watch goes on behind a resourceVersion', async (stage) => {
    await create(stage, 'a')
    const from = await now(stage)
    await create(stage, 'b')
    await remove(stage, 'a')
    const watch = await stage.watch(watchPath(stage, `resourceVersion=${from}`))
    await watch.take(2)
    await remove(stage, 'b')
    await watch.take(1)
  }),
  asking('a watch of ConfigMaps tells whole objects', async (stage) => {
    await stage.until(configMapsOf(stage, 'kube-root-ca.crt'), ({ status }) => status === 200, {
      show: () => '',
    })
    const watch = await stage.watch(`${configMapsOf(stage)}?watch=1&${OWN}`)
    await stage.post(configMapsOf(stage), configMap('a', { data: { a: '1' } }), { show: () => '' })
    await stage.put(configMapsOf(stage, 'a'), configMap('a', { data: { a: '2' } }), {
      show: () => '',
    })
    await stage.delete(configMapsOf(stage, 'a'), undefined, { show: () => '' })
    await watch.take(3)
  }),
  asking('a watch of one object by its name', async (stage) => {
    await create(stage, 'a')
    const watch = await stage.watch(watchPath(stage, 'fieldSelector=metadata.name%3Da'))
    await create(stage, 'b')
    await remove(stage, 'a')
    await watch.take(2)
  }),
  asking('the old paths of watches are served', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a'), { show: () => '' })
    const path = `/api/v1/watch/namespaces/${stage.id}/configmaps`
    const one = await stage.watch(`${path}/a?timeoutSeconds=20`, { show: brief })
    await one.take(1)
    const custom = await stage.watch(`/apis/${stage.group}/v1/watch/namespaces/${stage.id}/widgets`)
    stage.note('for custom objects', custom.status)
  }),
  asking('an update that changes nothing is not told', async (stage) => {
    const watch = await stage.watch(watchPath(stage), { show: brief })
    await create(stage, 'a')
    await relabel(stage, 'a', {})
    await remove(stage, 'a')
    await watch.take(2)
  }),
  asking('a finalizer makes a deletion two events', async (stage) => {
    const watch = await stage.watch(watchPath(stage))
    await create(stage, 'a', { metadata: { name: 'a', finalizers: ['example.com/a'] } })
    await remove(stage, 'a')
    await stage.patch(
      widgetsOf(stage, 'a'),
      { metadata: { finalizers: null } },
      { contentType: MERGE, show: () => '' },
    )
    await watch.take(3)
  }),
  asking('deletecollection tells of each object', async (stage) => {
    await create(stage, 'a')
    await create(stage, 'b')
    const watch = await stage.watch(watchPath(stage, `resourceVersion=${await now(stage)}`), {
      show: brief,
    })
    await stage.delete(widgetsOf(stage), undefined, { show: () => '' })
    await watch.take(2)
  }),
]

const selecting: Case[] = [
  asking(
    'objects that enter and leave a selection are told as added and deleted',
    async (stage) => {
      const watch = await stage.watch(watchPath(stage, 'labelSelector=on%3Dyes'))
      await create(stage, 'a')
      await relabel(stage, 'a', { on: 'yes' })
      await relabel(stage, 'a', { other: 'x' })
      await relabel(stage, 'a', { on: 'no' })
      await relabel(stage, 'a', { on: 'yes' })
      await remove(stage, 'a')
      await watch.take(5)
    },
  ),
  asking('an object outside of a selection is not told when it goes', async (stage) => {
    const watch = await stage.watch(watchPath(stage, 'labelSelector=on'), { show: brief })
    await create(stage, 'a')
    await remove(stage, 'a')
    await create(stage, 'b', { metadata: { name: 'b', labels: { on: '' } } })
    await watch.take(1)
  }),
  asking('a watch selects by fields of custom objects', async (stage) => {
    const watch = await stage.watch(watchPath(stage, 'fieldSelector=spec.mode%3Dx'), {
      show: brief,
    })
    await stage.post(widgetsOf(stage), widget(stage, 'a', { mode: 'x' }), { show: () => '' })
    await stage.patch(
      widgetsOf(stage, 'a'),
      { spec: { mode: 'y' } },
      { contentType: MERGE, show: () => '' },
    )
    await watch.take(2)
  }),
  asking('a bad selector of a watch is refused', async (stage) => {
    await stage.get(watchPath(stage, 'labelSelector=a%20b'))
    await stage.get(watchPath(stage, 'fieldSelector=spec.none%3Dx'))
  }),
]

const shapes: Case[] = [
  asking('a watch as tables', async (stage) => {
    await create(stage, 'a')
    const watch = await stage.watch(watchPath(stage), { accept: TABLE, show: withoutAge })
    await watch.take(1)
    await relabel(stage, 'a', { x: 'y' })
    await remove(stage, 'a')
    await watch.take(2)
  }),
  asking('a watch of metadata', async (stage) => {
    const watch = await stage.watch(watchPath(stage), { accept: PARTIAL })
    await create(stage, 'a')
    await watch.take(1)
  }),
  asking('a watch can ask for metadata lists', async (stage) => {
    await create(stage, 'a')
    const path = `${widgetsOf(stage)}?watch=true&timeoutSeconds=1`
    const watch = await stage.watch(path, { accept: PARTIAL_LIST })
    await watch.toItsEnd()
  }),
  asking('a watch in the stream form of JSON', async (stage) => {
    const accept = 'application/json;stream=watch'
    const watch = await stage.watch(watchPath(stage), { accept, show: brief })
    await create(stage, 'a')
    await watch.take(1)
  }),
  asking('a watch as YAML', (stage) =>
    stage.get(`${widgetsOf(stage)}?watch=true&timeoutSeconds=1`, { accept: 'application/yaml' }),
  ),
]

/** An age is counted from now. */
function withoutAge(event: unknown): unknown {
  return JSON.parse(JSON.stringify(event).replaceAll(/"\d+s"/g, '"<age>"'))
}

const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'

const initialEvents: Case[] = [
  asking('initial events end with a bookmark', async (stage) => {
    await create(stage, 'a')
    await create(stage, 'b')
    const watch = await stage.watch(watchPath(stage, initial))
    await watch.take(3)
    await create(stage, 'c')
    await watch.take(1)
  }),
  asking('initial events of an empty list are a bookmark', async (stage) => {
    const watch = await stage.watch(watchPath(stage, initial))
    await watch.take(1)
  }),
  asking('initial events from a resourceVersion', async (stage) => {
    await create(stage, 'a')
    const from = await now(stage)
    const watch = await stage.watch(watchPath(stage, `${initial}&resourceVersion=${from}`), {
      show: brief,
    })
    await watch.take(2)
    const zero = await stage.watch(watchPath(stage, `${initial}&resourceVersion=0`), {
      show: brief,
    })
    await zero.take(2)
  }),
  asking('initial events without bookmarks end silently', async (stage) => {
    await create(stage, 'a')
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan'
    const watch = await stage.watch(watchPath(stage, query), { show: brief })
    await create(stage, 'b')
    await watch.take(2)
  }),
  asking('initial events can be declined', async (stage) => {
    await create(stage, 'a')
    const from = await now(stage)
    const query = `sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=${from}`
    const watch = await stage.watch(watchPath(stage, query), { show: brief })
    await create(stage, 'b')
    await watch.take(1)
  }),
  asking('initial events can be declined without a revision', async (stage) => {
    await create(stage, 'a')
    const query = 'sendInitialEvents=false&resourceVersionMatch=NotOlderThan'
    const watch = await stage.watch(watchPath(stage, query), { show: brief })
    await create(stage, 'b')
    await watch.take(1)
  }),
  asking('initial events with a selector', async (stage) => {
    await create(stage, 'a')
    const watch = await stage.watch(watchPath(stage, `${initial}&labelSelector=none`), {
      show: brief,
    })
    await watch.take(1)
  }),
  asking('initial events as tables and as metadata', async (stage) => {
    await create(stage, 'a')
    const table = await stage.watch(watchPath(stage, initial), { accept: TABLE, show: withoutAge })
    await table.take(2)
    const metadata = await stage.watch(watchPath(stage, initial), { accept: PARTIAL })
    await metadata.take(2)
  }),
  asking('initial events of built-in objects', async (stage) => {
    const path = pathIn(stage)('v1', 'secrets')
    await stage.post(path, { metadata: { name: 'a' } }, { show: () => '' })
    const watch = await stage.watch(`${path}?watch=true&${initial}`)
    await watch.take(2)
  }),
  asking('initial events ask for a match', async (stage) => {
    await stage.get(watchPath(stage, 'sendInitialEvents=true'))
    await stage.get(watchPath(stage, 'sendInitialEvents=true&resourceVersionMatch=Exact'))
    await stage.get(watchPath(stage, 'sendInitialEvents=nonsense'))
    await stage.get(watchPath(stage, 'resourceVersionMatch=NotOlderThan'))
  }),
]

const ending: Case[] = [
  asking('a watch ends when its time is over', async (stage) => {
    const watch = await stage.watch(`${widgetsOf(stage)}?watch=true&timeoutSeconds=1`)
    await watch.toItsEnd()
  }),
  asking('a resourceVersion that is too old is gone', async (stage) => {
    await create(stage, 'a')
    const watch = await stage.watch(watchPath(stage, 'resourceVersion=1'))
    await watch.toItsEnd()
  }),
  asking('a resourceVersion of a watch that is no number is refused', async (stage) => {
    await stage.get(watchPath(stage, 'resourceVersion=nonsense'))
    await stage.get(watchPath(stage, 'resourceVersion=-1'))
  }),
  asking('a resourceVersion of a watch that is not reached yet', async (stage) => {
    const watch = await stage.watch(
      `${widgetsOf(stage)}?watch=true&timeoutSeconds=1&resourceVersion=999999999`,
    )
    await watch.toItsEnd()
  }),
  asking('watching in a namespace that does not exist tells nothing', async (stage) => {
    const path = `/apis/${stage.group}/v1/namespaces/none-${stage.id}/widgets`
    const watch = await stage.watch(`${path}?watch=true&timeoutSeconds=1`)
    await watch.toItsEnd()
  }),
  asking('a single object is not watched by its path', async (stage) => {
    await create(stage, 'a')
    await stage.get(`${widgetsOf(stage, 'a')}?watch=true&timeoutSeconds=1`)
  }),
  asking('the events of a watch are of the version that is asked for', async (stage) => {
    const path = (version: string) => `/apis/${stage.group}/${version}/gadgets`
    const query = `watch=true&timeoutSeconds=20&fieldSelector=metadata.name%3D${stage.id}`
    const watch = await stage.watch(`${path('v1beta1')}?${query}`)
    const body = {
      apiVersion: `${stage.group}/v1`,
      kind: 'Gadget',
      metadata: { name: stage.id },
      spec: {},
    }
    await stage.post(path('v1'), body, { show: () => '' })
    await watch.take(1)
    await stage.delete(`${path('v1')}/${stage.id}`, undefined, { show: () => '' })
  }),
]

export const watchesCases: Subject = {
  subject: 'watches',
  cases: [...following, ...selecting, ...shapes, ...initialEvents, ...ending],
}
