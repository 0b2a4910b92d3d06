import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  notFoundField,
  required,
} from '#apiserver/field-error.ts'
import { dnsLabel, dnsSubdomain } from '#apiserver/metadata/name-rules.ts'
import { type Fields, listAt, textAt } from '#apiserver/objects.ts'
import {
  checkLeast,
  checkNotNegative,
  checkOneOf,
  checkPort,
  checkPortOrName,
  checkRule,
  checkText,
  configKey,
  duplicateFinder,
  nameIn,
  portName,
} from './field-checks.ts'
import { itemsOf, partOf } from './fill.ts'
import { validateResources } from './resource-rules.ts'

/** What is wrong with the containers of a list; `volumes` are the names that they can mount. */
export interface ContainerSurroundings {
  volumes: ReadonlySet<string>
  isDuplicate(name: string): boolean
}

/** What is wrong with one container of any sort. */
export function validateContainer(
  container: Fields,
  field: string,
  { volumes, isDuplicate }: ContainerSurroundings,
): FieldError[] {
  const name = nameIn(container)
  return [
    ...checkText(name, `${field}.name`, dnsLabel),
    ...validateImage(container, field),
    ...checkOneOf(container.terminationMessagePolicy, `${field}.terminationMessagePolicy`, [
      'File',
      'FallbackToLogsOnError',
    ]),
    ...validatePorts(container, `${field}.ports`),
    ...validateVariables(container, `${field}.env`),
    ...validateMounts(container, `${field}.volumeMounts`, volumes),
    ...checkOneOf(container.imagePullPolicy, `${field}.imagePullPolicy`, [
      'Always',
      'IfNotPresent',
      'Never',
    ]),
    ...validateResources(partOf(container, 'resources'), `${field}.resources`),
    ...(name && isDuplicate(name) ? [duplicateField(`${field}.name`, name)] : []),
  ]
}

/** What is wrong with the image of a container. */
export function validateImage(container: Fields, field: string): FieldError[] {
  const image = textAt(container, 'image')
  if (!image) return [required(`${field}.image`, '')]
  return image === image.trim()
    ? []
    : [invalidField(`${field}.image`, image, 'must not have leading or trailing whitespace')]
}

function validatePorts(container: Fields, field: string): FieldError[] {
  const isDuplicate = duplicateFinder()
  return itemsOf(container, 'ports').flatMap((port, index) => {
    const at = `${field}[${index}]`
    const name = nameIn(port)
    return [
      ...checkRule(name, `${at}.name`, portName),
      ...(name && portName(name).length === 0 && isDuplicate(name)
        ? [duplicateField(`${at}.name`, name)]
        : []),
      ...(port.containerPort
        ? checkPort(port.containerPort, `${at}.containerPort`)
        : [required(`${at}.containerPort`, '')]),
      ...(port.hostPort ? checkPort(port.hostPort, `${at}.hostPort`) : []),
      ...checkOneOf(port.protocol, `${at}.protocol`, ['SCTP', 'TCP', 'UDP']),
    ]
  })
}

const variableName = (name: string): string[] =>
  /^[ -<>-~]+$/.test(name)
    ? []
    : [
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
      ]

function validateVariables(container: Fields, field: string): FieldError[] {
  return itemsOf(container, 'env').flatMap((variable, index) => {
    const at = `${field}[${index}]`
    return [
      ...checkText(variable.name, `${at}.name`, variableName),
      ...validateValueFrom(variable, `${at}.valueFrom`),
    ]
  })
}

function validateValueFrom(variable: Fields, field: string): FieldError[] {
  const from = partOf(variable, 'valueFrom')
  if (!from) return []
  if (textAt(variable, 'value'))
    return [invalidField(field, '', 'may not be specified when `value` is not empty')]
  const sources = Object.keys(from).filter((key) => from[key] != null)
  if (sources.length === 0)
    return [
      invalidField(
        field,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      ),
    ]
  if (sources.length > 1)
    return [invalidField(field, '', 'may not have more than one field specified at a time')]
  return ['configMapKeyRef', 'secretKeyRef'].flatMap((key) => {
    const reference = partOf(from, key)
    if (!reference) return []
    return [
      ...dnsSubdomain(nameIn(reference)).map((problem) =>
        invalidField(`${field}.${key}.name`, nameIn(reference), problem),
      ),
      ...checkText(reference.key, `${field}.${key}.key`, configKey),
    ]
  })
}

function validateMounts(
  container: Fields,
  field: string,
  volumes: ReadonlySet<string>,
): FieldError[] {
  const isDuplicate = duplicateFinder()
  return itemsOf(container, 'volumeMounts').flatMap((mount, index) => {
    const at = `${field}[${index}]`
    const path = nameIn(mount, 'mountPath')
    return [
      ...checkText(mount.name, `${at}.name`),
      ...(volumes.has(nameIn(mount)) ? [] : [notFoundField(`${at}.name`, nameIn(mount))]),
      ...checkText(path, `${at}.mountPath`),
      ...(isDuplicate(path) ? [invalidField(`${at}.mountPath`, path, 'must be unique')] : []),
    ]
  })
}

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe']

/** What is wrong with how a container is started, stopped and asked how it is. */
export function validateLife(container: Fields, field: string): FieldError[] {
  const lifecycle = partOf(container, 'lifecycle') ?? {}
  return [
    ...['postStart', 'preStop'].flatMap((key) => {
      const action = partOf(lifecycle, key)
      return action ? validateAction(action, `${field}.lifecycle.${key}`) : []
    }),
    ...probes.flatMap((key) => validateProbe(partOf(container, key), `${field}.${key}`)),
  ]
}

/** Containers that end before the others start are not asked how they are. */
export const refuseLife = (container: Fields, field: string): FieldError[] =>
  ['lifecycle', ...probes]
    .filter((key) => container[key] != null)
    .map((key) =>
      forbiddenField(
        `${field}.${key}`,
        'may not be set for init containers without restartPolicy=Always',
      ),
    )

function validateProbe(probe: Fields | undefined, field: string): FieldError[] {
  if (!probe) return []
  const errors = [
    ...validateAction(probe, field),
    ...checkNotNegative(probe, field, [
      'initialDelaySeconds',
      'timeoutSeconds',
      'periodSeconds',
      'successThreshold',
      'failureThreshold',
    ]),
  ]
  const mayNeedMore = !field.endsWith('readinessProbe')
  if (mayNeedMore && typeof probe.successThreshold === 'number' && probe.successThreshold !== 1)
    errors.push(invalidField(`${field}.successThreshold`, probe.successThreshold, 'must be 1'))
  return errors
}

function validateAction(action: Fields, field: string): FieldError[] {
  const [kind, ...others] = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'].filter(
    (key) => action[key] != null,
  )
  if (!kind) return [required(field, 'must specify a handler type')]
  return [
    ...validateOneAction(kind, partOf(action, kind) ?? {}, `${field}.${kind}`),
    ...others.map((key) =>
      forbiddenField(`${field}.${key}`, 'may not specify more than 1 handler type'),
    ),
  ]
}

function validateOneAction(kind: string, action: Fields, field: string): FieldError[] {
  if (kind === 'exec')
    return listAt(action, 'command').length > 0 ? [] : [required(`${field}.command`, '')]
  if (kind === 'httpGet')
    return [
      ...checkPortOrName(action.port, `${field}.port`),
      ...checkOneOf(action.scheme, `${field}.scheme`, ['HTTP', 'HTTPS']),
    ]
  if (kind === 'tcpSocket') return checkPortOrName(action.port, `${field}.port`)
  if (kind === 'grpc') return checkPort(action.port, `${field}.port`)
  return checkLeast(action.seconds, `${field}.seconds`, 0)
}
