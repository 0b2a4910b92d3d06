import type { ConfigDocument } from '#machineconfig/document.ts'
import { quote } from '#machineconfig/quote.ts'
import { byBytes, sectionAt, textAt, textsAt } from '#machineconfig/validate/checks/fields.ts'

// Of a graph with many cycles, the names in all of them together are far more than its text.
const MOST_NAMES_IN_CYCLES = 1000

type Graph = ReadonlyMap<string, readonly string[]>

/** Containers that wait for one that nobody configured, or for one another. */
export function* dependencyErrors(documents: readonly ConfigDocument[]): Iterable<string> {
  const graph: Graph = new Map(
    documents
      .filter(({ kind }) => kind.kind === 'ContainerConfig')
      .map(({ fields }) => [
        textAt(fields, 'name'),
        textsAt(sectionAt(fields, 'dependsOn'), 'containers'),
      ]),
  )
  for (const [name, needed] of graph) {
    for (const other of needed.filter((one) => !graph.has(one))) {
      yield `container ${quote(name)} depends on container ${quote(other)}, which is not configured`
    }
  }
  const cycles = new Cycles(graph).found()
  if (cycles.length > 0) yield `container dependsOn cycle detected: ${cycles.join(', ')}`
}

/** Follows all dependencies once, without recursion, as the chain may be as long as the text. */
class Cycles {
  readonly #graph: Graph
  readonly #cycles = new Set<string>()
  readonly #done = new Set<string>()
  /** The way to where we are, with what is still to be followed from each. */
  readonly #way: { readonly name: string; readonly left: Iterator<string> }[] = []
  readonly #placeOnWay = new Map<string, number>()
  #namesLeft = MOST_NAMES_IN_CYCLES

  constructor(graph: Graph) {
    this.#graph = graph
  }

  found(): string[] {
    for (const name of [...this.#graph.keys()].sort(byBytes)) this.#followFrom(name)
    return [...this.#cycles].sort(byBytes)
  }

  #followFrom(start: string): void {
    this.#enter(start)
    for (let here = this.#way.at(-1); here !== undefined; here = this.#way.at(-1)) {
      const next = here.left.next()
      if (next.done) this.#leave(here.name)
      else this.#enter(next.value)
    }
  }

  #enter(name: string): void {
    const needed = this.#graph.get(name)
    if (needed === undefined || this.#done.has(name)) return
    const place = this.#placeOnWay.get(name)
    if (place !== undefined) {
      this.#close(place)
      return
    }
    this.#placeOnWay.set(name, this.#way.length)
    this.#way.push({ name, left: needed.values() })
  }

  #leave(name: string): void {
    this.#way.pop()
    this.#placeOnWay.delete(name)
    this.#done.add(name)
  }

  #close(place: number): void {
    const length = this.#way.length - place
    if (this.#cycles.size > 0 && length > this.#namesLeft) return
    this.#namesLeft -= length
    const names = this.#way.slice(place).map(({ name }) => name)
    this.#cycles.add([...names, names[0]].join(' -> '))
  }
}
