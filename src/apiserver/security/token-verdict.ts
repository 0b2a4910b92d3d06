import type { User } from '#apiserver/request.ts'

/** Whose a token is and what it is good for; or what is wrong with it, as far as it is one of ours. */
export type TokenVerdict =
  | { user: User; audiences: readonly string[] }
  | { problem: string | undefined }
