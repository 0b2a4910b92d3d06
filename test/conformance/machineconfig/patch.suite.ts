import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { patchText } from '#machineconfig/patch/apply-patches.ts'
import { loadPatch } from '#machineconfig/patch/load-patch.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import { danglingCases, deleteCases } from './patch/deletes.cases.ts'
import { documentCases } from './patch/documents.cases.ts'
import { freeCases } from './patch/free.cases.ts'
import { jsonCases } from './patch/json.cases.ts'
import { listCases } from './patch/lists.cases.ts'
import type { PatchCase } from './patch/patch-case.ts'
import { valueCases } from './patch/values.cases.ts'

const groups = {
  values: valueCases,
  lists: listCases,
  'objects without a type': freeCases,
  documents: documentCases,
  deletes: deleteCases,
  'JSON patches': jsonCases,
}

interface Outcome {
  readonly text?: string
  readonly refusal?: string
}

const AT_ONCE = 2

describe('a patch does what talosctl machineconfig patch does with it', () => {
  const theirs = new Map<PatchCase, Outcome>()
  let folder = ''

  beforeAll(async () => {
    const { talosctl } = await realPrograms(['talosctl'])
    folder = await mkdtemp(join(tmpdir(), 'patch-cases-'))
    const cases = [...Object.values(groups).flat(), ...danglingCases]
    const waiting = [...cases.entries()]
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, one] = next
        theirs.set(one, await askTalosctl(talosctl, join(folder, `${index}`), one))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }, 600_000)

  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('has cases for each rule', () => {
    expect(Object.values(groups).flat().length).toBeGreaterThanOrEqual(170)
  })

  describe.each(Object.entries(groups))('%s', (_, cases) => {
    it.each(cases)('$rule', (one) => {
      const { text, refusal } = theirs.get(one) ?? {}
      const ours = outcomeOf(one)

      if (text === undefined) {
        expect(ours.text).toBeUndefined()
        expect(ours.refusal).toContain(coreOf(refusal ?? ''))
      } else {
        expect(ours.refusal).toBeUndefined()
        expect(documentsIn(ours.text ?? '')).toEqual(documentsIn(text))
        expect(ours.text).toBe(text)
      }
    })
  })

  it.each(danglingCases)(
    'deleting $rule is refused, for what Talos makes of it is unreadable',
    (one) => {
      expect(theirs.get(one)?.text).toContain('---\n{}\n')
      expect(outcomeOf(one).refusal).toMatch(/^patch 0: patch delete: .*: lookup failed$/)
    },
  )
})

function outcomeOf({ base, patches }: PatchCase): Outcome {
  try {
    const loaded = patches.map((text, index) => loadPatch({ name: `patch ${index}`, text }))
    return { text: patchText(base, loaded) }
  } catch (error) {
    return { refusal: error instanceof Error ? error.message : `${error}` }
  }
}

async function askTalosctl(program: string, file: string, one: PatchCase): Promise<Outcome> {
  await writeFile(file, one.base)
  const files = one.patches.map((_, index) => `${file}-${index}`)
  await Promise.all(one.patches.map((text, index) => writeFile(`${file}-${index}`, text)))
  const flags = files.flatMap((path) => ['--patch', `@${path}`])
  return new Promise((resolve) => {
    execFile(program, ['machineconfig', 'patch', file, ...flags], (error, stdout, stderr) =>
      // It prints a line break of its own.
      resolve(error ? { refusal: stderr } : { text: stdout.slice(0, -1) }),
    )
  })
}

const documentsIn = (text: string): unknown[] =>
  [parseAllDocuments(text)].flat().map((document) => document.toJS())

/** What a refusal comes down to: where Talos names Go's fields we name the path. */
function coreOf(refusal: string): string {
  // It crashed: there is nothing to agree with but that it does not work.
  if (refusal.startsWith('panic:')) return ''
  const [first = ''] = refusal.trim().split('\n')
  if (/^merge field/.test(first)) {
    return first.replace(/^.*: /, '').replace(/left .* is not/, 'left value is not')
  }
  // What is wrong with JSON is told by showing some of it.
  if (/^invalid character/.test(first)) return 'not valid JSON'
  return first.replace(': %!w(<nil>)', '')
}
