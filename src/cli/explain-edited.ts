import type { ApiKind, KubeObject, ObjectOf } from '#api/meta.ts'
import type { Cached } from '#kube/cache.ts'
import { Watches } from '#runtime/watches.ts'

/** What an object would be, if it were edited; or the object itself. */
export type AsEdited = <Object extends KubeObject>(kind: ApiKind, object: Object) => Object

/** Caches that show some objects as they would be. */
export class EditedWatches extends Watches {
  readonly #asEdited: AsEdited

  constructor(asEdited: AsEdited, ...[options, wanted]: ConstructorParameters<typeof Watches>) {
    super(options, wanted)
    this.#asEdited = asEdited
  }

  override get<K extends ApiKind>(kind: K, key: string): Cached<ObjectOf<K>> | undefined {
    const found = super.get(kind, key)
    return found && this.#asEdited(kind, found)
  }

  override list<K extends ApiKind>(
    kind: K,
    choice: Parameters<Watches['list']>[1],
  ): Cached<ObjectOf<K>>[] {
    return super.list(kind, choice).map((one) => this.#asEdited(kind, one))
  }

  override find<K extends ApiKind>(kind: K, index: string, value: string): Cached<ObjectOf<K>>[] {
    return super.find(kind, index, value).map((one) => this.#asEdited(kind, one))
  }
}
