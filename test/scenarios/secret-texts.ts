import { Secret } from '#api/foreign.ts'
import { parseYaml } from '#base/yaml.ts'
import type { World } from './world.ts'

// Of what a Secret of ours has in it, all but certificates, addresses and names.
const SECRET_KEY = /key|secret|token/i
const SHORTEST = 12
const LINE = 64

/** Everything that nobody may read anywhere but in a Secret: in the forms in which it could slip out. */
export async function secretTexts(world: World): Promise<string[]> {
  const secrets = await world.objects.list(Secret)
  const texts = secrets.flatMap(({ data = {} }) =>
    Object.values(data).flatMap((entry) => secretsIn(Buffer.from(entry, 'base64').toString())),
  )
  return [...new Set(texts.flatMap(formsOf))]
}

function secretsIn(text: string): string[] {
  try {
    return leavesOf(parseYaml(text), false)
  } catch {
    return []
  }
}

function leavesOf(value: unknown, isSecret: boolean): string[] {
  if (typeof value === 'string') return isSecret && value.length >= SHORTEST ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    leavesOf(part, typeof part === 'object' ? isSecret : SECRET_KEY.test(key)),
  )
}

/** As it is, and line by line if it is a PEM. */
function formsOf(text: string): string[] {
  const decoded = Buffer.from(text, 'base64').toString()
  if (!decoded.includes('-----BEGIN')) return [text]
  const lines = decoded.split('\n').filter((line) => line !== '' && !line.startsWith('-----'))
  return [text.slice(0, LINE), ...lines.map((line) => line.slice(0, LINE))].filter(
    ({ length }) => length >= SHORTEST,
  )
}
