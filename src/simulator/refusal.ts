/** Codes of gRPC that a machine answers with. */
export type RefusalCode =
  | 'InvalidArgument'
  | 'NotFound'
  | 'AlreadyExists'
  | 'PermissionDenied'
  | 'FailedPrecondition'
  | 'ResourceExhausted'
  | 'Unimplemented'
  | 'Unavailable'
  | 'Internal'
  | 'Unknown'

/** A call that a machine does not carry out, with the code and in the words of Talos. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}
