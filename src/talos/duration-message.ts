import { create, type MessageShape } from '@bufbuild/protobuf'
import { DurationSchema } from '@bufbuild/protobuf/wkt'

/** A span of time as a message. */
export const durationOf = (ms: number): MessageShape<typeof DurationSchema> => {
  const seconds = Math.floor(ms / 1_000)
  return create(DurationSchema, {
    seconds: BigInt(seconds),
    nanos: Math.round((ms - seconds * 1_000) * 1e6),
  })
}
