import SwiftUI

struct ContentView: View {
    /// What the last quick action opened.
    let opened: String?

    var body: some View {
        Text(opened ?? "Inbox")
    }
}
