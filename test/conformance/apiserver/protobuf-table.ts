// Writes the table of protobuf messages from the sources of the real kube-apiserver. Where those are not to be
// had, the table stays as it is: it changes with the version of Kubernetes only.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { protobufMessagesFile, protoFiles } from './protobuf-sources.ts'

const ROOT = join(import.meta.dirname, '../../..')

const protos = await protoFiles()
if (protos) {
  const { path, content } = protobufMessagesFile(protos)
  await writeFile(join(ROOT, path), content)
} else {
  process.stdout.write('there are no Go modules here: the protobuf messages stay as they are\n')
}
