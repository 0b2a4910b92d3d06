import type { KubectlCase } from './kubectl-cases.ts'
import { configMap, deployment, gadget, pod, service } from './kubectl-objects.ts'

const some = [
  pod('a', { app: 'web', tier: 'front' }),
  pod('b', { app: 'web', tier: 'back' }),
  pod('c', { app: 'db' }),
]
const gadgets = [
  gadget('first', { size: 'large', replicas: 3, note: 'a note' }),
  gadget('second', { replicas: 1 }),
]

/** Looking at objects and at what there is to look at. */
export const readCases: readonly KubectlCase[] = [
  {
    name: 'get prints in every format',
    files: { 'all.yaml': [...some, ...gadgets, deployment('web'), service('web')] },
    script: `
      kubectl create -f all.yaml
      kubectl get pods
      kubectl get pods -o wide
      kubectl get pods -o wide --show-labels -L app,tier
      kubectl get pods --no-headers
      kubectl get pod a -o yaml
      kubectl get pod a -o json
      kubectl get pods -o name
      kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name}={.spec.containers[0].image}{"\\n"}{end}'
      kubectl get pods -o custom-columns=NAME:.metadata.name,APP:.metadata.labels.app,NO:.spec.nothing
      kubectl get pods -o go-template='{{range .items}}{{.metadata.name}} {{end}}'
      kubectl get gadgets
      kubectl get gg -o wide
      kubectl get gadget/first pod/a deployment/web
      kubectl get deployments,services -o wide
      kubectl get all
      kubectl get all -o name
      kubectl get --ignore-not-found pod nothing
      kubectl get pod nothing
      kubectl get nothings
      kubectl get -f all.yaml -o name
      kubectl get pods -o wide --server-print=false
    `,
  },
  {
    name: 'get selects and sorts',
    files: { 'all.yaml': [...some, ...gadgets] },
    script: `
      kubectl create -f all.yaml
      kubectl get pods -l app=web -o name
      kubectl get pods -l 'app in (web,db),tier!=back' -o name
      kubectl get pods -l '!tier' -o name
      kubectl get pods -l 'app in (' -o name
      kubectl get pods --field-selector metadata.name=b -o name
      kubectl get pods --field-selector status.phase=Pending,metadata.name!=a -o name
      kubectl get pods --field-selector spec.nothing=b
      kubectl get gadgets --field-selector spec.size=large -o name
      kubectl get gadgets --field-selector spec.note=large -o name
      kubectl get pods --sort-by=.metadata.labels.app -o name
      kubectl get gadgets --sort-by='{.spec.replicas}'
      kubectl get gadgets --sort-by='{.spec.nothing}'
      kubectl get pods -A -l app=db --field-selector metadata.namespace=$NAMESPACE
      kubectl get pods --chunk-size=1 -o name
    `,
  },
  {
    name: 'get -w prints what happens until it is told to end',
    files: { 'all.yaml': [configMap('a', { k: '1' }), gadget('g')] },
    script: `
      kubectl get configmap/kube-root-ca.crt -w --request-timeout=3s --no-headers
      kubectl create -f all.yaml
      timeout 30 sh -c 'mkfifo out; kubectl get gadgets -w --output-watch-events > out & watch=$!; { read head; echo "$head"; read line; echo "$line"; kubectl scale gadget/g --replicas=5; read line; echo "$line"; kubectl delete gadget/g; read line; echo "$line"; kill $watch; } < out'
      timeout 30 sh -c 'mkfifo more; kubectl get configmap/a -w -o name > more & watch=$!; { read line; echo "$line"; kubectl label configmap/a x=y; read line; echo "$line"; kubectl delete configmap/a; read line; echo "$line"; kill $watch; } < more'
      kubectl get pods -w --output-watch-events --request-timeout=3s -o json
    `,
  },
  {
    name: 'describe tells about objects',
    // Without the events of the Service: a real API now and then says that it repairs its address.
    files: {
      'all.yaml': [
        ...some,
        ...gadgets,
        deployment('web'),
        service('web'),
        configMap('c', { k: 'v' }),
      ],
    },
    script: `
      kubectl create -f all.yaml
      kubectl describe pod a
      kubectl describe pods -l app=web
      kubectl describe deployment web
      kubectl describe configmap c
      kubectl describe service web --show-events=false
      kubectl describe gadget first
      kubectl describe gadgets
      kubectl describe namespace $NAMESPACE
      kubectl describe serviceaccount default
      kubectl describe crd gadgets.kubectl.example.com
      kubectl describe pod nothing
    `,
  },
  {
    name: 'explain knows built-in kinds and defined ones',
    // What all objects have is described in other words here (lines that begin with four spaces).
    script: `
      kubectl explain gadget | grep -v '^    '
      kubectl explain gadget.kind | grep -v '^    '
      kubectl explain gadget.metadata | grep -v '^    '
      kubectl explain gadget.metadata --recursive | grep -v '^    '
      kubectl explain gadget.metadata.ownerReferences | grep -v '^    '
      kubectl explain gadget.metadata.managedFields.fieldsV1 | grep -v '^    '
      kubectl explain gadget.spec
      kubectl explain gadget.spec.parts.name
      kubectl explain gadgets --recursive
      kubectl explain gadget.spec.nothing
      kubectl explain nothing
      kubectl explain gadget.spec --api-version=kubectl.example.com/v1
      kubectl explain gadget.spec -o plaintext-openapiv2
      kubectl explain gadget --api-version=kubectl.example.com/v9
    `,
  },
  {
    name: 'explain tells the types of built-in fields',
    // Their descriptions are left out, for the embedded API has none: they would be most of its size.
    script: `
      kubectl explain pod --recursive | sed '/^DESCRIPTION/,/^FIELDS/d'
      kubectl explain service.spec --recursive | sed '/^DESCRIPTION/,/^FIELDS/d'
      kubectl explain customresourcedefinition.spec.versions --recursive | sed '/^DESCRIPTION/,/^FIELDS/d'
      kubectl explain cronjob --recursive | sed '/^DESCRIPTION/,/^FIELDS/d'
      kubectl explain deployment.spec.template.spec.containers.resources --recursive | sed '/^DESCRIPTION/,/^FIELDS/d'
      kubectl explain gadget --recursive | sed '/^DESCRIPTION/,/^FIELDS/d'
      kubectl explain pod.spec.nothing
    `,
  },
  {
    name: 'the server tells what it is and what it has',
    except: {
      lines: /apiregistration|flowcontrol|resource\.k8s\.io|componentstatuses/,
      because: 'no servers are added to the embedded API, it queues nothing and allots no devices',
    },
    script: `
      kubectl api-versions
      kubectl api-resources
      kubectl api-resources --namespaced=false -o name
      kubectl api-resources --api-group=kubectl.example.com -o wide
      kubectl api-resources --verbs=list,get --namespaced -o name
      kubectl api-resources --categories=all -o name
      kubectl cluster-info
      kubectl version -o json | grep -v -i 'git\\|build\\|go\\|compiler\\|platform'
      kubectl version | grep -v Client
      kubectl get --raw /healthz
      kubectl get --raw /livez
      kubectl get --raw /readyz
      kubectl get --raw '/readyz?verbose' | grep 'ping|etcd ok|passed'
      kubectl get --raw /livez/etcd
      kubectl get --raw /livez/nothing
      kubectl get --raw /version | head -3
      kubectl get --raw /api/v1/namespaces/$NAMESPACE/configmaps/nothing
      kubectl get --raw /apis/kubectl.example.com/v1
      kubectl get --raw /nothing
      kubectl config view
      kubectl config current-context
    `,
  },
  {
    name: 'proxy lets a program speak to the API',
    files: { 'c.yaml': configMap('c', { k: 'v' }) },
    script: `
      kubectl create -f c.yaml
      sh -c 'kubectl proxy --port=0 > port & proxy=$!; while ! [ -s port ]; do sleep 0.05; done; at=$(sed "s/.* //" port); curl -s http://$at/api/v1/namespaces/$NAMESPACE/configmaps/c | kubectl create --dry-run=client -o yaml -f -; curl -s -X DELETE -o deleted http://$at/api/v1/namespaces/$NAMESPACE/configmaps/c; kill $proxy'
      kubectl get configmap c
    `,
  },
  {
    name: 'events are listed in order',
    files: {
      'e.yaml': ['one', 'two'].map((name) => ({
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name },
        type: name === 'one' ? 'Normal' : 'Warning',
        reason: 'Happened',
        message: `${name} has happened`,
        involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'a' },
        source: { component: 'tests' },
        count: 2,
        firstTimestamp: '2021-01-01T00:00:00Z',
        lastTimestamp: name === 'one' ? '2021-01-02T00:00:00Z' : '2021-01-03T00:00:00Z',
      })),
      'a.yaml': pod('a'),
    },
    script: `
      kubectl create -f a.yaml -f e.yaml
      kubectl get events
      kubectl get events -o wide
      kubectl events
      kubectl events --for pod/a
      kubectl events --types=Warning
      kubectl get events --field-selector involvedObject.name=a,type=Warning -o name
      kubectl describe pod a | grep -A9 Events
      kubectl get events.events.k8s.io -o name
      kubectl get events --sort-by=.lastTimestamp -o name
    `,
  },
]
