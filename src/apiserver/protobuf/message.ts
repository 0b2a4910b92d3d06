import type { Fields } from '#apiserver/objects.ts'
import { Malformed, WIRE, type Wire } from './wire.ts'

/** Reads the value of a field, whose tag has been read, into an object. */
export interface FieldReader {
  /** Which wire types are right. */
  types: readonly number[]
  /** What Go calls it in its messages. */
  goName: string
  read(wire: Wire, target: Fields): void
}

/** A protobuf message, as a JSON object. */
export class Message {
  readonly #goName: string
  readonly #prepare: () => ReadonlyMap<number, FieldReader>
  #readers: ReadonlyMap<number, FieldReader> | undefined

  /** The fields are asked for when they are first needed: a message may contain itself. */
  constructor(goName: string, prepare: () => ReadonlyMap<number, FieldReader>) {
    this.#goName = goName
    this.#prepare = prepare
  }

  /** Reads all that is left of the message that `wire` is in. What is already in the target is added to. */
  read(wire: Wire, target: Fields): Fields {
    this.#readers ??= this.#prepare()
    while (!wire.isAtEnd) {
      const start = wire.at
      wire.tag()
      const reader = this.#readers.get(wire.field)
      if (reader === undefined) {
        this.#checkTag(wire)
        wire.at = start
        wire.skip()
        continue
      }
      if (!reader.types.includes(wire.type)) throw this.#wrongType(wire.type, reader)
      reader.read(wire, target)
    }
    return target
  }

  /** The same of the message that follows. */
  readNested(wire: Wire, target: Fields): Fields {
    const outer = wire.enter()
    this.read(wire, target)
    wire.leave(outer)
    return target
  }

  #checkTag({ type, field }: Wire): void {
    if (type === WIRE.endGroup) throw this.#endOfNoGroup()
    if (field > 0) return
    const tag = field * 8 + type
    throw new Malformed(`proto: ${this.#goName}: illegal tag ${field} (wire type ${tag})`)
  }

  #wrongType(type: number, { goName }: FieldReader): Malformed {
    if (type === WIRE.endGroup) return this.#endOfNoGroup()
    return new Malformed(`proto: wrong wireType = ${type} for field ${goName}`)
  }

  #endOfNoGroup(): Malformed {
    return new Malformed(`proto: ${this.#goName}: wiretype end group for non-group`)
  }
}
