import { execFile } from 'node:child_process'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { filesMatching, root } from './tree.ts'

const LOOKS_LIKE_A_TEST = /\.(test|suite|spec)\.[cm]?[jt]sx?$/

test('every test and every suite is run, by one project', async () => {
  const files = await filesMatching(LOOKS_LIKE_A_TEST)

  const projects = await projectsByFile()
  const homes = files.map((path) => [path, projects.get(path) ?? []])
  expect(homes).toEqual(files.map((path) => [path, [homeOf(path)]]))
  expect([...projects.keys()].filter((path) => !files.includes(path))).toEqual([])
})

// A *.spec.ts or a *.test.js has no home: we have one way to name a test.
function homeOf(path: string): string {
  if (path.endsWith('.suite.ts')) return 'conformance'
  if (!path.endsWith('.test.ts')) return 'a name that ends in .test.ts or .suite.ts'
  return path.startsWith('test/repo/') ? 'repo' : 'unit'
}

/** Which projects run which file, as vitest itself tells. */
async function projectsByFile(): Promise<Map<string, string[]>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'list', '--filesOnly', '--json'],
    { cwd: root },
  )
  const listed: { file: string; projectName: string }[] = JSON.parse(stdout)
  const projects = new Map<string, string[]>()
  for (const { file, projectName } of listed) {
    const path = relative(root, file)
    projects.set(path, [...(projects.get(path) ?? []), projectName])
  }
  return projects
}
