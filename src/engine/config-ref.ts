import { ConfigMap } from '#api/foreign.ts'
import type { Reader } from '#runtime/reader.ts'

/** What may name a configuration. */
interface Referring {
  configRef?: { name: string; key: string }
}

/** What `configRef` leads to; undefined if it is not there, or nothing is referred to. */
export async function configTextOf(
  spec: Referring | undefined,
  read: Reader,
): Promise<string | undefined> {
  const { name, key } = spec?.configRef ?? {}
  return name && key ? (await read.fetch(ConfigMap, name))?.data?.[key] : undefined
}
