// Keeps menus up to date with the live stream: go run follow.go BASE APP/VERSION…
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

type held struct{ app, version string }

func (h held) String() string { return h.app + "/" + h.version }

type menu struct {
	tag      string
	Revision int64 `json:"revision"`
	Items    []any `json:"items"`
}

// The data of an event, of any type.
type change struct {
	App      string  `json:"app"`
	Revision int64   `json:"revision"`
	Audience *string `json:"audience"`
	From     *string `json:"from"`
	Until    *string `json:"until"`
	Resync   bool    `json:"resync"`
	Apps     map[string]*struct {
		Revision int64 `json:"revision"`
	} `json:"apps"`
}

// The request failed and can be repeated; after is zero if the service sent no Retry-After.
type later struct {
	reason string
	after  time.Duration
}

func (l later) Error() string { return l.reason }

type follower struct {
	base     string
	held     []held
	menus    map[held]menu
	last     string
	retry    time.Duration
	failures int
}

func main() {
	f := follower{base: os.Args[1], menus: map[held]menu{}, retry: 3 * time.Second}
	for _, name := range os.Args[2:] {
		app, version, _ := strings.Cut(name, "/")
		f.held = append(f.held, held{app, version})
	}
	rand.Seed(time.Now().UnixNano())
	for {
		err := f.follow()
		wait := f.retry
		if err != nil {
			// Random unless the server says when, so that clients do not reconnect together.
			longest := f.retry << f.failures
			if longest > time.Minute {
				longest = time.Minute
			}
			wait = longest/2 + time.Duration(rand.Int63n(int64(longest/2)+1))
			if l, ok := err.(later); ok && l.after > 0 {
				wait = l.after
			}
			if f.failures < 10 {
				f.failures++
			}
			fmt.Printf("waiting %.1f s: %v\n", wait.Seconds(), err)
		}
		time.Sleep(wait)
	}
}

// The answer, which may be 304 or 404.
func (f *follower) ask(ctx context.Context, path string, fields map[string]string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, "GET", f.base+path, nil)
	if err != nil {
		return nil, err
	}
	for name, value := range fields {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode == 200 || answer.StatusCode == 304 || answer.StatusCode == 404 {
		return answer, nil
	}
	answer.Body.Close()
	seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
	return nil, later{answer.Status, time.Duration(seconds) * time.Second}
}

// Reads one stream to its end.
func (f *follower) follow() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	// A comment comes every 20 seconds: after 60 seconds of silence the connection is lost.
	silence := time.AfterFunc(time.Minute, cancel)
	defer silence.Stop()

	query, named := []string{}, map[string]bool{}
	for _, h := range f.held {
		if !named[h.app] {
			query = append(query, "app="+h.app)
		}
		named[h.app] = true
	}
	fields := map[string]string{"Accept": "text/event-stream"}
	if f.last != "" {
		fields["Last-Event-ID"] = f.last
	}
	stream, err := f.ask(ctx, "/v1/stream?"+strings.Join(query, "&"), fields)
	if err != nil {
		return err
	}
	defer stream.Body.Close()
	if stream.StatusCode != 200 {
		return later{reason: "none of the apps exists"}
	}
	var name, id string
	var data []string
	lines := bufio.NewScanner(stream.Body)
	for lines.Scan() {
		silence.Reset(time.Minute)
		field, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			name = value
		case "data":
			data = append(data, value)
		case "id":
			id = value
		case "retry":
			if milliseconds, err := strconv.Atoi(value); err == nil && milliseconds > 0 {
				f.retry = time.Duration(milliseconds) * time.Millisecond
			}
		case "":
			if lines.Text() != "" { // a comment
				continue
			}
			if data != nil {
				var c change
				if err := json.Unmarshal([]byte(strings.Join(data, "\n")), &c); err != nil {
					return err
				}
				if err := f.hear(name, c); err != nil {
					return err
				}
				// Stored after the fetches: the service repeats an event whose fetches failed.
				f.last, f.failures = id, 0
			}
			name, data = "", nil
		}
	}
	return lines.Err()
}

func (f *follower) hear(name string, c change) error {
	switch name {
	case "state":
		if c.Resync {
			fmt.Println("state, resync")
		} else {
			fmt.Println("state")
		}
		for app, state := range c.Apps {
			if state == nil {
				f.forget(app, "is missing")
			} else if err := f.fetch(change{App: app, Revision: state.Revision}); err != nil {
				return err
			}
		}
	case "deleted":
		f.forget(c.App, "deleted")
	case "changed":
		fmt.Printf("%s changed, revision %d\n", c.App, c.Revision)
		// This program keeps menus of the default audience only.
		if c.Audience == nil || *c.Audience == "default" {
			return f.fetch(c)
		}
	}
	return nil
}

func (f *follower) forget(app, why string) {
	fmt.Println(app, why)
	for h := range f.menus {
		if h.app == app {
			delete(f.menus, h)
		}
	}
}

// Fetches the app's menus again for the versions from c.From up to, not including, c.Until.
func (f *follower) fetch(c change) error {
	for _, h := range f.held {
		if h.app != c.App || c.From != nil && isBelow(h.version, *c.From) || c.Until != nil && !isBelow(h.version, *c.Until) {
			continue
		}
		if err := f.fetchMenu(h, c.Revision); err != nil {
			return err
		}
	}
	return nil
}

func (f *follower) fetchMenu(h held, revision int64) error {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	fields := map[string]string{}
	if known, ok := f.menus[h]; ok {
		fields["If-None-Match"] = known.tag
	}
	answer, err := f.ask(ctx, fmt.Sprintf("/v1/apps/%s/versions/%s/shortcuts?revision=%d", h.app, h.version, revision), fields)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case 200:
		fetched := menu{tag: answer.Header.Get("ETag")}
		if err := json.NewDecoder(answer.Body).Decode(&fetched); err != nil {
			return err
		}
		f.menus[h] = fetched
		fmt.Println(h, "revision", fetched.Revision)
	case 304:
		fmt.Println(h, "unchanged")
	default:
		fmt.Println(h, "has no menu")
	}
	return nil
}

func isBelow(left, right string) bool {
	a, b := partsOf(left), partsOf(right)
	for index := range a {
		if a[index] != b[index] {
			return a[index] < b[index]
		}
	}
	return false
}

func partsOf(version string) (parts [3]int64) {
	for index, part := range strings.SplitN(version, ".", 3) {
		parts[index], _ = strconv.ParseInt(part, 10, 64)
	}
	return parts
}
