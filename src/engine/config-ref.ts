import { ConfigMap } from '#api/foreign.ts'
import type { Reader } from '#runtime/reader.ts'

/** What may name a configuration. */
interface Referring {
  configRef?: { name: string; key: string }
}

/** The name of the ConfigMap that `configRef` leads to, if it is complete. */
export function configRefNames(spec: Referring | undefined): string[] {
  const { name, key } = spec?.configRef ?? {}
  return name && key ? [name] : []
}

/** What `configRef` leads to; undefined if it is not there, or nothing is referred to. */
export async function configTextOf(
  spec: Referring | undefined,
  read: Pick<Reader, 'fetch'>,
): Promise<string | undefined> {
  const { name, key } = spec?.configRef ?? {}
  if (!name || !key) return undefined
  const { data = {} } = (await read.fetch(ConfigMap, name)) ?? {}
  return Object.hasOwn(data, key) ? data[key] : undefined
}
