import type { DescMessage, DescMethod } from '@bufbuild/protobuf'

/** A method of a generated service whose messages are known by type. */
export type TypedMethod<I extends DescMessage, O extends DescMessage> = DescMethod & {
  input: I
  output: O
}

/** Where a method is called, on the wire. */
export const pathOf = (method: DescMethod): string => `/${method.parent.typeName}/${method.name}`
