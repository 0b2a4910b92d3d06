import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { messageOf } from '#base/operator-error.ts'
import { problem } from '#base/problem.ts'
import { parseYamlDocuments } from '#base/yaml.ts'
import { readText } from './key-file.ts'

const word = Type.String({ minLength: 1 })

const Manifest = Type.Object({
  apiVersion: word,
  kind: word,
  metadata: Type.Object({ name: word, namespace: Type.Optional(word) }),
})

const List = Type.Object({ kind: Type.Literal('List'), items: Type.Array(Type.Unknown()) })

/** An object as somebody wrote it: nobody has looked at more than how it is called. */
export type FileObject = Static<typeof Manifest>

/**
 * The objects in files of YAML or JSON, in their order; `-` stands for what comes in. Throws a problem for people that
 * names the file and holds nothing of what is in it.
 */
export async function objectsIn(
  paths: readonly string[],
  readInput: () => Promise<string>,
): Promise<FileObject[]> {
  const objects: FileObject[] = []
  for (const path of paths) {
    const text = path === '-' ? await readInput() : await readText(path)
    objects.push(...objectsOf(path === '-' ? 'the input' : path, text))
  }
  if (objects.length > 0) return objects
  throw problem({
    what: `there is no object in ${paths.join(', ')}`,
    why: 'nothing is there that could be applied',
    remedy: 'look whether what wrote it did what it should',
  })
}

function objectsOf(where: string, text: string): FileObject[] {
  const documents = parsed(where, text).filter((document) => document !== null)
  return documents
    .flatMap((document) => (Value.Check(List, document) ? document.items : [document]))
    .map((document, at) => {
      if (Value.Check(Manifest, document)) return document
      throw problem({
        what: `${where}: document ${at + 1} is no object`,
        why: 'an object has apiVersion, kind and metadata.name',
        remedy: 'write it as kubectl apply takes it',
      })
    })
}

function parsed(where: string, text: string): unknown[] {
  try {
    return parseYamlDocuments(text)
  } catch (error) {
    throw problem({
      what: `${where} cannot be read`,
      why: messageOf(error),
      remedy: 'correct it: it takes objects of Kubernetes, as YAML or JSON',
    })
  }
}
