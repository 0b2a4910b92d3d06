import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { linksOf } from './pages.ts'
import { filesMatching, textOf } from './tree.ts'

const INDEX = 'docs/README.md'

test('docs/README.md leads to every page of docs', async () => {
  const pages = await filesMatching(/^docs\/((guides|decisions)\/)?[^/]+\.md$/)
  const led = new Set(linksOf(await textOf(INDEX)).map((link) => `docs/${link.split('#')[0]}`))

  const left = pages.filter((page) => page !== INDEX && !led.has(page))
  const lines = await Promise.all(left.map(lineFor))
  expect(pages.length).toBeGreaterThan(50)
  expect(left, `add to ${INDEX}, where a reader would look for it:\n${lines.join('\n')}`).toEqual(
    [],
  )
})

/** What is missing, ready to be pasted. */
async function lineFor(page: string): Promise<string> {
  const title = (await textOf(page)).split('\n')[0]?.replace(/^# /, '') ?? basename(page)
  const [, number, words = title] = /^(\d+)\. (.*)$/.exec(title) ?? []
  return `${number === undefined ? '*' : `${number}.`} [${words}](${page.replace('docs/', '')})`
}
