// Writes the table of built-in kinds as the real kube-apiserver has them. Where that is not built yet, the
// table stays as it is: it changes with the version of Kubernetes only.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtinKindsFile } from '#scripts/generate/builtin-kinds.ts'
import { startKubernetes } from '#test/conformance/kubernetes/real-kubernetes.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import { builtinSources } from './builtin-sources.ts'

const ROOT = join(import.meta.dirname, '../../..')

async function programsIfBuilt() {
  const withoutGo = { ...process.env, PATH: '' }
  return realPrograms(['etcd', 'kube-apiserver'], { env: withoutGo }).catch(() => undefined)
}

const programs = await programsIfBuilt()
if (programs) {
  await using kubernetes = await startKubernetes(programs)
  const { path, content } = builtinKindsFile(await builtinSources(kubernetes.send))
  await writeFile(join(ROOT, path), content)
} else {
  process.stdout.write('the real kube-apiserver is not built: its kinds stay as they are\n')
}
