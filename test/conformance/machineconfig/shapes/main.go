// Prints the types of the machine configuration as the sources of several versions of Talos declare them:
// one JSON document per line and version. Arguments: the folder of the crypto module, then
// <version>=<folder of the machinery module> for each version.
package main

import (
	"encoding/json"
	"log"
	"os"
	"strings"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 {
		log.Fatal("usage: shapes <crypto folder> <version>=<machinery folder>…")
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for _, arg := range os.Args[2:] {
		version, folder, _ := strings.Cut(arg, "=")
		sources := newSources(map[string]string{
			"github.com/siderolabs/talos/pkg/machinery": folder,
			"github.com/siderolabs/crypto":              os.Args[1],
		})
		release := collect(sources)
		release.Version = version
		if err := out.Encode(release); err != nil {
			log.Fatal(err)
		}
	}
}
