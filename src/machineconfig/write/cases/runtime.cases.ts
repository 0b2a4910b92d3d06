import type { WrittenCase } from './written-case.cases.ts'

export const runtimeCases: readonly WrittenCase[] = [
  {
    text: `apiVersion: v1alpha1
kind: EnvironmentConfig
variables: {HTTP_PROXY: "http://proxy:3128", NO_PROXY: "10.0.0.0/8,.local", "10": ten, "9": nine, EMPTY: ~}
`,
    written: `apiVersion: v1alpha1
kind: EnvironmentConfig
variables:
    "9": nine
    "10": ten
    EMPTY: ""
    HTTP_PROXY: http://proxy:3128
    NO_PROXY: 10.0.0.0/8,.local
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: EventSinkConfig
endpoint: 192.168.10.3:3247
`,
    written: `apiVersion: v1alpha1
kind: EventSinkConfig
endpoint: 192.168.10.3:3247
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: ExtensionServiceConfig
name: nut-client
configFiles: [{content: "MONITOR host 1 remote pass\\n", mountPath: /usr/local/etc/nut/upsmon.conf}, {content: "a: b\\n  c\\n\\n\\nd", mountPath: /b}]
environment: [NUT_UPS=upsname, "TEXT=a b: c # d"]
`,
    written: `apiVersion: v1alpha1
kind: ExtensionServiceConfig
name: nut-client
configFiles:
    - content: |
        MONITOR host 1 remote pass
      mountPath: /usr/local/etc/nut/upsmon.conf
    - content: |-
        a: b
          c


        d
      mountPath: /b
environment:
    - NUT_UPS=upsname
    - 'TEXT=a b: c # d'
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: ImageVerificationConfig
rules: [{image: "registry.k8s.io/*", keyless: {issuer: https://accounts.google.com, subject: krel-trust@k8s-releng-prod.iam.gserviceaccount.com}}, {image: "**", skip: true}, {image: x, deny: true, publicKey: {certificate: "-----BEGIN PUBLIC KEY-----\\nMFk=\\n-----END PUBLIC KEY-----\\n"}}]
`,
    written: `apiVersion: v1alpha1
kind: ImageVerificationConfig
rules:
    - image: registry.k8s.io/*
      keyless:
        issuer: https://accounts.google.com
        subject: krel-trust@k8s-releng-prod.iam.gserviceaccount.com
    - image: '**'
      skip: true
    - image: x
      deny: true
      publicKey:
        certificate: |
            -----BEGIN PUBLIC KEY-----
            MFk=
            -----END PUBLIC KEY-----
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: KmsgLogConfig
name: remote-log
url: TCP://192.168.3.7:3478/
`,
    written: `apiVersion: v1alpha1
kind: KmsgLogConfig
name: remote-log
url: tcp://192.168.3.7:3478/
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: OOMConfig
triggerExpression: |
  multiply_qos_vectors(d_qos_memory_full_total,
    {System: 8.0}) > 3000.0
cgroupRankingExpression: "memory_max.hasValue() ? 0.0 : 1.0"
sampleInterval: 100ms
`,
    written: `apiVersion: v1alpha1
kind: OOMConfig
triggerExpression: |
    multiply_qos_vectors(d_qos_memory_full_total,
      {System: 8.0}) > 3000.0
cgroupRankingExpression: 'memory_max.hasValue() ? 0.0 : 1.0'
sampleInterval: 100ms
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: PCIDriverRebindConfig
name: "0000:04:00.00"
targetDriver: vfio-pci
`,
    written: `apiVersion: v1alpha1
kind: PCIDriverRebindConfig
name: "0000:04:00.00"
targetDriver: vfio-pci
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: RegistryAuthConfig
name: my-private-registry.local:5000
username: user
password: "123456"
auth: ""
identityToken: "yes"
`,
    written: `apiVersion: v1alpha1
kind: RegistryAuthConfig
name: my-private-registry.local:5000
username: user
password: "123456"
identityToken: "yes"
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: RegistryMirrorConfig
name: docker.io
endpoints: [{url: "https://mirror.example/v2/a b", overridePath: true}, {url: https://plain.example}]
skipFallback: true
`,
    written: `apiVersion: v1alpha1
kind: RegistryMirrorConfig
name: docker.io
endpoints:
    - url: https://mirror.example/v2/a%20b
      overridePath: true
    - url: https://plain.example
skipFallback: true
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: RegistryTLSConfig
name: my-mirror
clientIdentity: {cert: "-----BEGIN CERTIFICATE-----\\nMII=\\n-----END CERTIFICATE-----", key: "-----BEGIN PRIVATE KEY-----\\nMII=\\n"}
ca: "one\\n\\ntwo\\n\\n"
insecureSkipVerify: true
`,
    written: `apiVersion: v1alpha1
kind: RegistryTLSConfig
name: my-mirror
clientIdentity:
    cert: |-
        -----BEGIN CERTIFICATE-----
        MII=
        -----END CERTIFICATE-----
    key: |
        -----BEGIN PRIVATE KEY-----
        MII=
ca: |+
    one

    two

insecureSkipVerify: true
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: SideroLinkConfig
apiUrl: https://siderolink.api/?jointoken=token&user=alice
uniqueToken: t
`,
    written: `apiVersion: v1alpha1
kind: SideroLinkConfig
apiUrl: https://siderolink.api/?jointoken=token&user=alice
uniqueToken: t
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: TrustedRootsConfig
name: my-enterprise-ca
certificates: |-
    -----BEGIN CERTIFICATE-----
    MII=
    -----END CERTIFICATE-----
`,
    written: `apiVersion: v1alpha1
kind: TrustedRootsConfig
name: my-enterprise-ca
certificates: |-
    -----BEGIN CERTIFICATE-----
    MII=
    -----END CERTIFICATE-----
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: WatchdogTimerConfig
device: /dev/watchdog0
timeout: 90s
`,
    written: `apiVersion: v1alpha1
kind: WatchdogTimerConfig
device: /dev/watchdog0
timeout: 1m30s
`,
  },
]
