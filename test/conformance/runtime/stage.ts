import { afterAll, beforeAll } from 'vitest'
import { Event } from '#api/foreign.ts'
import { RECONCILE_MODE } from '#api/labels.ts'
import type { KubeClient } from '#kube/client.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import type { MisbehavingApi } from '#test/misbehaving/front.ts'
import { until } from '#test/until.ts'
import { type RunningControllers, startControllers } from './running-controllers.ts'
import { type Around, Part, Widget, widgetController } from './widget.ts'

/** Starts an API that serves widgets and parts. */
export type StartApi = () => Promise<MisbehavingApi>

type Settled = (widget: Widget) => boolean

const NAMESPACE = 'default'

/** What the cases of the loop play on: an API that can misbehave, and controllers that come and go. */
export class Stage {
  readonly api: MisbehavingApi
  readonly client: KubeClient
  #names = 0

  constructor(api: MisbehavingApi, client: KubeClient) {
    this.api = api
    this.client = client
  }

  /** The controller, as one process would run it. */
  run(around: Around = {}, assertLeading?: () => void): Promise<RunningControllers> {
    return startControllers({
      client: this.client,
      controllers: [widgetController(around)],
      ...(assertLeading && { assertLeading }),
    })
  }

  /** A widget of a name that no other test has. */
  async make(spec: Widget['spec'], { mode, name }: { mode?: string; name?: string } = {}) {
    const metadata = {
      name: name ?? this.newName(),
      namespace: NAMESPACE,
      ...(mode && { annotations: { [RECONCILE_MODE]: mode } }),
    }
    return this.client.create(Widget, { metadata, spec })
  }

  newName(): string {
    return `widget-${++this.#names}`
  }

  get(name: string): Promise<Widget> {
    return this.client.get(Widget, { name, namespace: NAMESPACE })
  }

  edit(name: string, body: object): Promise<Widget> {
    return this.client.patch(Widget, { name, namespace: NAMESPACE }, { type: 'merge', body })
  }

  setMode(name: string, mode: string | null): Promise<Widget> {
    return this.edit(name, { metadata: { annotations: { [RECONCILE_MODE]: mode } } })
  }

  remove(name: string): Promise<void> {
    return this.client.remove(Widget, { name, namespace: NAMESPACE })
  }

  /** The parts of a widget, by name. */
  async parts(name: string): Promise<Part[]> {
    const { items } = await this.client.list(Part, { namespace: NAMESPACE })
    return items.filter(({ metadata }) => metadata.ownerReferences?.[0]?.name === name)
  }

  async partNames(name: string): Promise<string[]> {
    return (await this.parts(name)).map(({ metadata }) => metadata.name).sort()
  }

  /** `PartMade make part 0` and so on, of a widget, in no order. */
  async events(name: string): Promise<string[]> {
    const { items } = await this.client.list(Event, { namespace: NAMESPACE })
    return items
      .filter(({ regarding }) => regarding.name === name)
      .map(({ reason, note }) => `${reason} ${note}`)
      .sort()
  }

  /** Waits until a widget is as it should be. */
  until(name: string, what: string, isGood: Settled): Promise<Widget> {
    return until(`${name} ${what}`, () => this.get(name), isGood)
  }

  /** Waits until there are so many parts, and the status says so for the spec as it is. */
  untilBuilt(name: string, parts: number): Promise<Widget> {
    return this.until(
      name,
      `to have ${parts} parts`,
      ({ metadata, status }) =>
        status?.observedGeneration === metadata.generation &&
        status?.parts?.length === parts &&
        conditionOf({ status }, 'Ready')?.status === 'True',
    )
  }

  /** Waits until there is no widget of that name. */
  async untilGone(name: string): Promise<void> {
    const look = () => this.client.find(Widget, { name, namespace: NAMESPACE })
    await until(`${name} to be gone`, look, (widget) => widget === undefined)
  }

  /** The writes to the API so far, but for events and leases. */
  get writes(): string[] {
    return this.api.log
      .filter(({ method, path }) => method !== 'GET' && !/\/(events|leases)/.test(path))
      .map(({ method, path }) => `${method} ${path.split('?')[0]}`)
  }
}

/** For a block of tests: starts the API before them, ends it after them, and yields the stage. */
export function stageOfBlock(start: StartApi): () => Stage {
  let stage: Stage | undefined
  beforeAll(async () => {
    const api = await start()
    stage = new Stage(api, await clientOf(api))
  })
  afterAll(async () => {
    stage?.client.close()
    await stage?.api[Symbol.asyncDispose]()
  })
  return () => {
    if (!stage) throw new Error('there is a stage only while the tests run')
    return stage
  }
}

export const conditionOf = ({ status }: Pick<Widget, 'status'>, type: string) =>
  status?.conditions?.find((condition) => condition.type === type)
