/** What one API answered to one step of a case. Only what is compared is in it. */
export interface Entry {
  /** The request, or what was looked at: `POST /api/v1/namespaces`. */
  step: string
  status?: number
  contentType?: string
  warnings?: string[]
  /** Headers beyond those that every answer has. */
  headers?: Record<string, string>
  body?: unknown
}

/** Everything that an API answered in a case, in order. */
export type Transcript = Entry[]
