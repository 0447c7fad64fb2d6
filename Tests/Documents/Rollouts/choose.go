package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

func lines(path string) []string {
	text, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return strings.Split(string(text), "\n")
}

func main() {
	for _, rollout := range lines(os.Args[1]) {
		id, text, _ := strings.Cut(rollout, " ")
		threshold, _ := strconv.ParseUint(text, 10, 64)
		var arms strings.Builder
		for _, unit := range lines(os.Args[2]) {
			if GetsCandidate(id, threshold, unit) {
				arms.WriteByte('1')
			} else {
				arms.WriteByte('0')
			}
		}
		fmt.Println(arms.String())
	}
}
