import { ApiError, isTooOld } from './api-error.ts'
import { parseObject } from './http-json.ts'

const PAGE_SIZE = 500
const MOST_EXPIRIES = 2

/** Objects of a list, all or some of them. */
export interface Page<Object> {
  items: Object[]
  /** The version of the whole list, the same on every page. */
  resourceVersion: string
}

interface Answer<Object> {
  items?: Object[] | null
  metadata?: { resourceVersion?: string; continue?: string }
}

/** Reads a list page by page. `what` names it in errors; a page size of 0 means all in one. */
export async function* readPages<Object>(
  what: string,
  read: (query: { limit?: number; continue?: string }) => Promise<string>,
  pageSize = PAGE_SIZE,
): AsyncGenerator<Page<Object>> {
  let token: string | undefined
  do {
    const query = { ...(pageSize > 0 && { limit: pageSize }), ...(token && { continue: token }) }
    const page = parseObject<Answer<Object> | null>(await read(query))
    const resourceVersion = page?.metadata?.resourceVersion
    // Anything else, taken for an empty list, would mean that all objects are gone.
    if (!resourceVersion || !Array.isArray(page.items ?? [])) throw noList(what)
    const next = page.metadata?.continue || undefined
    if (next !== undefined && next === token) throw noList(what)
    yield { items: page.items ?? [], resourceVersion }
    token = next
  } while (token)
}

/**
 * All pages of a list as one, each object made into what is kept of it as soon as it is read. A list
 * that expires between two pages is begun anew, and at last read in one page, which cannot expire.
 */
export async function gather<Object, Kept>(
  pages: (pageSize?: number) => AsyncIterable<Page<Object>>,
  keep: (object: Object) => Kept,
): Promise<Page<Kept>> {
  for (let expiries = 0; ; expiries++) {
    const isLast = expiries === MOST_EXPIRIES
    try {
      return await joined(isLast ? pages(0) : pages(), keep)
    } catch (error) {
      if (!isTooOld(error) || isLast) throw error
    }
  }
}

async function joined<Object, Kept>(
  pages: AsyncIterable<Page<Object>>,
  keep: (object: Object) => Kept,
): Promise<Page<Kept>> {
  const whole: Page<Kept> = { items: [], resourceVersion: '' }
  for await (const { items, resourceVersion } of pages) {
    for (const item of items) whole.items.push(keep(item))
    whole.resourceVersion = resourceVersion
  }
  return whole
}

const noList = (what: string): ApiError =>
  new ApiError(`could not list ${what}: the API server answered with something that is no list`, {
    status: 0,
    reason: 'Garbled',
  })
