import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'

const text = Type.Optional(Type.String())
const flag = Type.Optional(Type.Boolean())
const texts = Type.Optional(Type.Array(Type.String()))
const anything = Type.Optional(Type.Unknown())

/** A kubeconfig file. What its lists hold is parsed where it is used: the rest may be broken. */
export const KubeconfigFile = Type.Object({
  apiVersion: text,
  kind: text,
  'current-context': text,
  clusters: Type.Optional(Type.Array(Type.Object({ name: text, cluster: anything }))),
  contexts: Type.Optional(Type.Array(Type.Object({ name: text, context: anything }))),
  users: Type.Optional(Type.Array(Type.Object({ name: text, user: anything }))),
})
export type KubeconfigFile = Static<typeof KubeconfigFile>

/** A context: which cluster, as which user, in which namespace. */
export const Context = Type.Object({ cluster: text, user: text, namespace: text })

/** A cluster: where its API is, and how to know that it is the one. */
export const Cluster = Type.Object({
  server: text,
  'tls-server-name': text,
  'insecure-skip-tls-verify': flag,
  'certificate-authority': text,
  'certificate-authority-data': text,
  'proxy-url': text,
  extensions: Type.Optional(Type.Array(Type.Object({ name: text, extension: anything }))),
})
export type Cluster = Static<typeof Cluster>

/** A program that prints credentials: the `exec` of a user. */
export const ExecPlugin = Type.Object({
  apiVersion: text,
  command: text,
  args: texts,
  env: Type.Optional(Type.Array(Type.Object({ name: Type.String(), value: text }))),
  installHint: text,
  interactiveMode: text,
  provideClusterInfo: flag,
})
export type ExecPlugin = Static<typeof ExecPlugin>

/** A user: the ways to prove an identity that kubectl knows, those we refuse among them. */
export const User = Type.Object({
  token: text,
  tokenFile: text,
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  exec: Type.Optional(ExecPlugin),
  username: text,
  password: text,
  'auth-provider': anything,
  as: text,
  'as-uid': text,
  'as-groups': texts,
  'as-user-extra': anything,
})
export type User = Static<typeof User>

/**
 * Parses data from outside. What has no value counts as left out, unknown fields are ignored. Throws
 * with the place and the reason, never with the content; `what` begins the sentence.
 */
export function parseAs<Schema extends TSchema>(
  schema: Schema,
  data: unknown,
  what: string,
): Static<Schema> {
  const value = withoutBlanks(data ?? {})
  if (Value.Check(schema, value)) return value
  const [error] = Value.Errors(schema, value)
  const field = error?.instancePath.slice(1).replaceAll('/', '.') || 'it'
  throw new Error(`${what} cannot be used: ${field} ${error?.message ?? 'has the wrong type'}`)
}

/** Drops fields that are null or '', which Go's decoders, and so kubectl, take for left out. */
function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutBlanks)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null && field !== '')
      // An extension is passed on to a plugin as it was written.
      .map(([key, field]) => [key, key === 'extension' ? field : withoutBlanks(field)]),
  )
}
