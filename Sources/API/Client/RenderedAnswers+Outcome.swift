import HTTP
import QuickActions
import Shortcuts

extension RenderedAnswers {
    /// What became of a request that no answer was kept for.
    enum Outcome {
        /// May be handed out to all who ask alike, until the app changes. Without a selection it is kept under the request's own spelling.
        case answer(PreparedAnswer, of: AppID, Selection?)
        case response(Response)
    }

    /// What an answer is the answer to, however it was asked for.
    struct Selection {
        let representation: SelectedRepresentation
        /// What it was made from and selected by; nil where both are kept already.
        let making: (template: AnswerTemplate, table: NegotiationTable)?
    }
}

extension RenderedAnswers.Outcome {
    /// What all who ask alike may be given.
    var cacheable: CacheableAnswer? {
        if case .answer(let answer, _, _) = self { CacheableAnswer(answer) } else { nil }
    }

    func response(to request: Request) throws(Failure) -> Response {
        if case .response(let response) = self { return response }
        guard let cacheable else { throw Failure(.internalError, "Try again.", cause: "an answer without an entity tag") }
        return try cacheable.response(to: request)
    }
}
