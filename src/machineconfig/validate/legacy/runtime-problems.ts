import type { ConfigDocument } from '#machineconfig/document.ts'
import { quote } from '#machineconfig/quote.ts'
import { sectionAt, textAt } from '#machineconfig/validate/checks/fields.ts'
import { kubernetesProblem } from '#machineconfig/versions/compatibility.ts'
import { parseVersion } from '#machineconfig/versions/version.ts'
import { isControlPlane, machineType } from './machine-type.ts'

// Older versions do not look at images.
const SINCE_MINOR = 11

const CONTROL_PLANE = [
  ['kube-apiserver', 'apiServer'],
  ['kube-controller-manager', 'controllerManager'],
  ['kube-scheduler', 'scheduler'],
] as const

/**
 * What a running machine refuses and `talosctl validate` does not: versions of Kubernetes that its own
 * version does not go with. An image that is not named is the default one, which always does.
 */
export function runtimeProblems(
  document: ConfigDocument,
  { talosVersion }: { talosVersion: string },
): string[] {
  const machine = sectionAt(document.fields, 'machine')
  const talos = parseVersion(talosVersion)
  if (!machine || !talos || talos.minor < SINCE_MINOR) return []
  const cluster = sectionAt(document.fields, 'cluster')
  const images = [['kubelet', textAt(sectionAt(machine, 'kubelet'), 'image')]]
  if (cluster && isControlPlane(machineType(textAt(machine, 'type')))) {
    for (const [name, key] of CONTROL_PLANE) {
      images.push([name, textAt(sectionAt(cluster, key), 'image')])
    }
  }
  return images.flatMap(([name, image = '']) => {
    const problem = image === '' ? undefined : imageProblem(talosVersion, image)
    return problem ? [`${name} image is not valid: ${problem}`] : []
  })
}

function imageProblem(talosVersion: string, image: string): string | undefined {
  const mark = image.lastIndexOf(':v')
  const refusal = `failed to parse Kubernetes version from image reference ${quote(image)}`
  if (mark < 0) return `${refusal}: invalid image reference: ${quote(image)}`
  const [version = ''] = image.slice(mark + 2).split('@', 1)
  if (parseVersion(version)) return kubernetesProblem(talosVersion, version)
  return `${refusal}: ${numberProblem(version)}`
}

function numberProblem(version: string): string {
  const [major = '', minor = '', patch = ''] = version.split('.')
  const parts = { major, minor, patch: patch.replace(/[-+].*$/s, '') }
  const [name, text = ''] = Object.entries(parts).find(([, part]) => !/^\d+$/.test(part)) ?? []
  return name === undefined
    ? 'invalid version'
    : `Invalid character(s) found in ${name} number ${quote(text)}`
}
