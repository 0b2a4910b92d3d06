import { ApiError } from '#kube/api-error.ts'

/** Whether an API does not answer for a while, as one that is upgraded itself. It is asked again then. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status > 499)
