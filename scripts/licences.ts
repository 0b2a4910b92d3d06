import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { Type } from 'typebox'
import { Value } from 'typebox/value'

/** A package of which something is in the bundle. */
export interface BundledPackage {
  name: string
  version: string
  license: string
  /** Where it is, below the repository. */
  path: string
}

const Manifest = Type.Object({
  name: Type.String(),
  version: Type.String(),
  license: Type.Optional(Type.String()),
})

/** The packages that the bundle has parts of, by esbuild's own account of it; sorted. */
export async function packagesOf(
  { outputs }: Pick<Metafile, 'outputs'>,
  root: string,
): Promise<BundledPackage[]> {
  const parts = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs))
  const paths = parts
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([input]) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [])
  const packages = [...new Set(paths)].sort().map(async (path) => {
    const text = await readFile(join(root, path, 'package.json'), 'utf8')
    const { name, version, license = 'no licence named' } = Value.Parse(Manifest, JSON.parse(text))
    return { name, version, license, path }
  })
  return Promise.all(packages)
}

/** What their authors want to be told wherever a copy of it goes. */
export async function licencesOf(packages: BundledPackage[], root: string): Promise<string> {
  const texts = packages.map(async ({ name, version, license, path }) => {
    const names = await readdir(join(root, path))
    const told = names.filter((one) => /^(licen[cs]e|notice|copying)/i.test(one)).sort()
    const parts = told.map(async (one) => (await readFile(join(root, path, one), 'utf8')).trim())
    return [`${name} ${version}: ${license}`, ...(await Promise.all(parts))].join('\n\n')
  })
  const line = `\n\n${'-'.repeat(80)}\n\n`
  return `${['The program has parts of these packages.', ...(await Promise.all(texts))].join(line)}\n`
}
