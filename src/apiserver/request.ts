/** Who asks. */
export interface User {
  name: string
  uid?: string
  groups: readonly string[]
  extra?: Readonly<Record<string, readonly string[]>>
}

/** What is asked for, as authorization sees it. */
export interface Attributes {
  user: User
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`, or the HTTP method in lower case. */
  verb: string
  /** Whether it is about an object or a collection; if not, only `path` counts. */
  isResource: boolean
  path: string
  group: string
  version: string
  resource: string
  subresource: string
  namespace: string
  name: string
}
